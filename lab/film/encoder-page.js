/* global Mediabunny, OffscreenCanvas, createImageBitmap, Path2D, FileReader */
// Runs in a page of the browser: draws the film's frames and encodes them. Called by encode.ts.

/** An arrow with its tip at 0,0. */
const ARROW = new Path2D("M0 0 L0 19 L4.6 14.8 L7.9 22.2 L11.2 20.8 L8 13.6 L14 13.2 Z");
const FOLDER = new Path2D("M0 4 q0-4 4-4 h12 l5 6 h19 q4 0 4 4 v20 q0 4-4 4 h-36 q-4 0-4-4 z");

let film;

globalThis.startFilm = async ({ width, height, fps, bitrate }) => {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  const output = new Mediabunny.Output({
    format: new Mediabunny.WebMOutputFormat(),
    target: new Mediabunny.BufferTarget(),
  });
  const source = new Mediabunny.CanvasSource(canvas, {
    codec: "vp9",
    bitrate,
    keyFrameInterval: 10,
    latencyMode: "quality",
    contentHint: "detail",
  });
  output.addVideoTrack(source, { frameRate: fps });
  await output.start();
  film = {
    canvas,
    context,
    output,
    source,
    fps,
    width,
    height,
    frames: 0,
    now: null,
    before: null,
  };
};

/** The next picture of the page; the previous one is kept for the fade. */
globalThis.showPicture = async (dataUrl) => {
  film.before?.close();
  film.before = film.now;
  film.now = await createImageBitmap(await (await fetch(dataUrl)).blob());
};

globalThis.addFrames = async (frames) => {
  for (const frame of frames) {
    draw(frame);
    await film.source.add(film.frames++ / film.fps, 1 / film.fps);
  }
};

globalThis.endFilm = async () => {
  await film.output.finalize();
  return toBase64(new Blob([film.output.target.buffer]));
};

/** A frame as a PNG, for the poster. */
globalThis.stillOf = async (frame) => {
  draw(frame);
  return toBase64(await film.canvas.convertToBlob({ type: "image/png" }));
};

function draw({ cursor, view, fade, ripple, carries, cursorSeen }) {
  const { context, width, height } = film;
  context.imageSmoothingQuality = "high";
  const place = (image, alpha) => {
    if (!image || alpha <= 0) return;
    const ratio = image.width / width;
    const wide = width / view[2];
    const high = height / view[2];
    context.globalAlpha = alpha;
    context.drawImage(
      image,
      view[0] * ratio,
      view[1] * ratio,
      wide * ratio,
      high * ratio,
      0,
      0,
      width,
      height,
    );
    context.globalAlpha = 1;
  };
  place(fade < 1 ? film.before : null, 1);
  place(film.now, fade < 1 && film.before ? fade : 1);
  if (!cursorSeen) return;
  const x = (cursor[0] - view[0]) * view[2];
  const y = (cursor[1] - view[1]) * view[2];
  if (ripple > 0) {
    context.beginPath();
    context.arc(x, y, 6 + 22 * ripple, 0, 2 * Math.PI);
    context.fillStyle = `rgb(67 56 168 / ${0.35 * (1 - ripple)})`;
    context.fill();
  }
  context.save();
  context.translate(x, y);
  if (carries) {
    context.save();
    context.translate(12, 16);
    context.fillStyle = "#8f86e6";
    context.strokeStyle = "#ffffff";
    context.lineWidth = 2;
    context.fill(FOLDER);
    context.stroke(FOLDER);
    context.restore();
  }
  context.scale(1.35, 1.35);
  context.shadowColor = "rgb(15 27 42 / 45%)";
  context.shadowBlur = 5;
  context.shadowOffsetY = 2;
  context.fillStyle = "#0f1b2a";
  context.fill(ARROW);
  context.shadowColor = "transparent";
  context.strokeStyle = "#ffffff";
  context.lineWidth = 1.6;
  context.lineJoin = "round";
  context.stroke(ARROW);
  context.restore();
}

function toBase64(blob) {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",")[1]);
    reader.readAsDataURL(blob);
  });
}
