update subscriptions set next_tier = 'basic';
