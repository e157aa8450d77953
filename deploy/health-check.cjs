// Ends with 0 when this machine's API answers and reaches its database. For HEALTHCHECK and readiness probes.
"use strict";
var port = process.env.PORT || "3000";

fetch("http://127.0.0.1:" + port + "/api/health", { signal: AbortSignal.timeout(4000) })
  .then(function (answer) {
    return answer.json();
  })
  .then(function (health) {
    if (!health.database) throw new Error("The API does not reach its database.");
  })
  .catch(function (error) {
    console.error(error.message);
    process.exitCode = 1;
  });
