update provider_clock set deletes_ahead_ms = 0;
