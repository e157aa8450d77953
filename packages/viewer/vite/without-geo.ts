/** Replaces deck.gl's defaults for maps, which the view never uses: it names its own view and layers. */
export class GeoJsonLayer {}

export default class MapView {}
