// Runs before each start, with whatever Node version is present, hence the old syntax. ONNX Runtime ships libraries for
// five platforms in one 290 MB package; the other four are removed. Nothing here may fail a start.
"use strict";
var fs = require("fs");
var path = require("path");

var bin = path.join(__dirname, "..", "node_modules", "onnxruntime-node", "bin");

function foldersOf(folder) {
  try {
    return fs.readdirSync(folder);
  } catch (ignored) {
    return [];
  }
}

foldersOf(bin).forEach(function (napi) {
  foldersOf(path.join(bin, napi)).forEach(function (platform) {
    foldersOf(path.join(bin, napi, platform)).forEach(function (arch) {
      if (platform === process.platform && arch === process.arch) return;
      try {
        fs.rmSync(path.join(bin, napi, platform, arch), { recursive: true, force: true });
      } catch (ignored) {
        // A leftover folder only costs space.
      }
    });
  });
});
