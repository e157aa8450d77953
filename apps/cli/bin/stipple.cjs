#!/usr/bin/env node
// Old syntax on purpose: any Node must get far enough to say that it is too old, or to start the one npm installed.
"use strict";
var spawn = require("child_process").spawn;
var path = require("path");
var url = require("url");
var version = require("./node-version.cjs");

var main = path.join(__dirname, "..", "src", "main.ts");
var node = version.broughtNode();

if (version.isNewEnough()) {
  keepCompiled();
  import(url.pathToFileURL(main).href);
} else if (node === undefined) {
  process.stderr.write(version.tooOld());
  process.exitCode = 1;
} else {
  startWith(node);
}

/** Node keeps our TypeScript in compiled form: this process, its threads, and its children load it in half the time. */
function keepCompiled() {
  var folder = path.join(__dirname, "../../../node_modules/.cache/stipple-compiled");
  // Where the folder cannot be written, nothing is kept.
  if (!require("module").enableCompileCache(folder).directory) return;
  process.env.NODE_COMPILE_CACHE = process.env.NODE_COMPILE_CACHE || folder;
}

function startWith(node) {
  var child = spawn(node, [__filename].concat(process.argv.slice(2)), { stdio: "inherit" });
  ["SIGINT", "SIGTERM", "SIGHUP"].forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });
  child.once("error", function (error) {
    process.stderr.write("Node could not be started from " + node + ": " + error.message + "\n");
    process.exitCode = 1;
  });
  child.once("exit", function (code, signal) {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else {
      process.exitCode = code === null ? 1 : code;
    }
  });
}
