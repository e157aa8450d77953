// Exits with 0 if this machine's API can accept requests. For HEALTHCHECK, which decides whether to send any.
"use strict";
var port = process.env.PORT || "3000";

fetch("http://127.0.0.1:" + port + "/api/ready", { signal: AbortSignal.timeout(8000) })
  .then(function (answer) {
    return answer.json();
  })
  .then(function (answer) {
    if (answer.status !== "ready") {
      throw new Error("The API is " + answer.status + ": " + answer.failing.join(", "));
    }
  })
  .catch(function (error) {
    console.error(error.message);
    process.exitCode = 1;
  });
