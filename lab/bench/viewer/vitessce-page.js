/* global document, location, window */
// The page that shows Vitessce; bundled with what is installed in the folder of --vitessce. `window.setting` comes from
// setting.js beside it.
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { CoordinationLevel as CL, Vitessce, VitessceConfig, hconcat } from "vitessce";

const { sidePx, imageScale, types, cellRadiusPx, zoom } = window.setting;
const rgb = (color) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

const config = new VitessceConfig({ schemaVersion: "1.0.16", name: "Cells" });
const dataset = config
  .addDataset("Cells")
  .addFile({
    fileType: "anndata.zarr",
    url: new URL("/data/cells.zarr", location.href).href,
    options: {
      obsSpots: { path: "obsm/spatial" },
      obsFeatureMatrix: { path: "X" },
      obsSets: [{ name: "Cell type", path: "obs/cell_type" }],
    },
    coordinationValues: { obsType: "cell" },
  })
  .addFile({
    fileType: "image.ome-zarr",
    url: new URL("/data/image.zarr/tissue", location.href).href,
    options: { coordinateTransformations: [{ type: "scale", scale: [1, imageScale, imageScale] }] },
    coordinationValues: { fileUid: "tissue" },
  });
const spatial = config.addView(dataset, "spatialBeta");
const genes = config.addView(dataset, "featureList");
const [coloring, gene, setColors, sets] = config.addCoordination(
  "obsColorEncoding",
  "featureSelection",
  "obsSetColor",
  "obsSetSelection",
);
coloring.setValue("cellSetSelection");
setColors.setValue(
  types.map(({ name, color }) => ({ path: ["Cell type", name], color: rgb(color) })),
);
sets.setValue(types.map(({ name }) => ["Cell type", name]));
config.linkViewsByObject([spatial, genes], {
  obsType: "cell",
  spatialZoom: zoom,
  spatialTargetX: sidePx / 2,
  spatialTargetY: sidePx / 2,
  imageLayer: CL([
    {
      fileUid: "tissue",
      photometricInterpretation: "RGB",
      imageChannel: CL(
        ["#ff0000", "#00ff00", "#0000ff"].map((color, at) => ({
          spatialTargetC: at,
          spatialChannelColor: rgb(color),
          spatialChannelVisible: true,
          spatialChannelWindow: [0, 255],
        })),
      ),
    },
  ]),
  spotLayer: CL([
    {
      obsType: "cell",
      spatialSpotRadius: cellRadiusPx,
      spatialLayerOpacity: 0.85,
      obsColorEncoding: coloring,
      featureSelection: gene,
      obsSetColor: setColors,
      obsSetSelection: sets,
    },
  ]),
});
for (const view of [spatial, genes]) view.useCoordination(coloring, gene, setColors, sets);
config.layout(hconcat(spatial, genes));
const layout = config.toJSON();
layout.layout[0].w = 9;
layout.layout[1].x = 9;
layout.layout[1].w = 3;

createRoot(document.getElementById("root")).render(
  createElement(Vitessce, { config: layout, theme: "light", height: window.innerHeight }),
);
