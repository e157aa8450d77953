// Runs after npm has installed, with whatever Node there is, so in old syntax. ONNX Runtime comes with its libraries for
// five platforms in one package, 290 MB; those of the other four are removed. Nothing here may fail an installation.
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
        // A folder that stays costs space and nothing else.
      }
    });
  });
});
