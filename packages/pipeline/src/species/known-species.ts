/** A species by the IDs that Ensembl gives its genes, and the names of its genome assemblies. */
export interface KnownSpecies {
  /** "pig (Sus scrofa)". */
  name: string;
  /** Start of its gene IDs. */
  ids: RegExp;
  /** Symbols that no other species here has; several of them tell it without IDs. */
  symbols?: RegExp;
  /** Its assemblies as reference packages are named: Sscrofa11.1, refdata-mm10-2020-A. */
  genomes: RegExp;
}

const ensembl = (prefix: string): RegExp => new RegExp(`^${prefix}\\d`);

export const HUMAN: KnownSpecies = {
  name: "human",
  ids: ensembl("ENSG"),
  genomes: /\b(human|grch3\d|hg(19|38)|t2t-?chm13|chm13)/i,
};
export const MOUSE: KnownSpecies = {
  name: "mouse",
  ids: ensembl("ENSMUSG"),
  genomes: /\b(mouse|grcm3\d|mm(9|10|39))/i,
};

/** Other species. Those of Ensembl that are not listed have IDs of the same form ({@link ANY_ENSEMBL}). */
export const OTHER_SPECIES: readonly KnownSpecies[] = [
  {
    name: "rat (Rattus norvegicus)",
    ids: ensembl("ENSRNOG"),
    genomes: /\b(rnor|mratbn|rn[67]\b)/i,
    symbols: /^Mt-(co|nd|atp|cyb)\w*$/,
  },
  { name: "pig (Sus scrofa)", ids: ensembl("ENSSSCG"), genomes: /\b(sscrofa|suss?cr)/i },
  {
    name: "zebrafish (Danio rerio)",
    ids: ensembl("ENSDARG"),
    genomes: /\b(grcz|danrer|zv9)/i,
    symbols: /^(si:|zgc:|mt-(co|nd|atp|cyb)\w*$)/,
  },
  { name: "chicken (Gallus gallus)", ids: ensembl("ENSGALG"), genomes: /\b(grcg|galgal|bgalgal)/i },
  { name: "rhesus macaque (Macaca mulatta)", ids: ensembl("ENSMMUG"), genomes: /\b(mmul|rhemac)/i },
  {
    name: "crab-eating macaque (Macaca fascicularis)",
    ids: ensembl("ENSMFAG"),
    genomes: /\b(macaca_fascicularis|macfas|mfa)/i,
  },
  {
    name: "marmoset (Callithrix jacchus)",
    ids: ensembl("ENSCJAG"),
    genomes: /\b(mcaljac|caljac)/i,
  },
  { name: "chimpanzee (Pan troglodytes)", ids: ensembl("ENSPTRG"), genomes: /\b(pan_tro|pantro)/i },
  { name: "cow (Bos taurus)", ids: ensembl("ENSBTAG"), genomes: /\b(ars-ucd|bostau|umd3)/i },
  { name: "sheep (Ovis aries)", ids: ensembl("ENSOARG"), genomes: /\b(oar_|oviari|ars-ui_ramb)/i },
  { name: "goat (Capra hircus)", ids: ensembl("ENSCHIG"), genomes: /\b(ars1\b|chir)/i },
  { name: "horse (Equus caballus)", ids: ensembl("ENSECAG"), genomes: /\b(equcab)/i },
  {
    name: "dog (Canis lupus familiaris)",
    ids: ensembl("ENSCAFG"),
    genomes: /\b(canfam|ros_cfam|roscfam|uu_cfam)/i,
  },
  { name: "cat (Felis catus)", ids: ensembl("ENSFCAG"), genomes: /\b(felis_catus|felcat)/i },
  {
    name: "rabbit (Oryctolagus cuniculus)",
    ids: ensembl("ENSOCUG"),
    genomes: /\b(orycun)/i,
  },
  { name: "ferret (Mustela putorius furo)", ids: ensembl("ENSMPUG"), genomes: /\b(musputfur)/i },
  {
    name: "axolotl (Ambystoma mexicanum)",
    ids: /^(AMEX6|AMEX60)DD\w*\d/,
    genomes: /\b(ambmex|amex)/i,
  },
  {
    name: "western clawed frog (Xenopus tropicalis)",
    ids: ensembl("ENSXETG"),
    genomes: /\b(ucb_xtro|xentro|xtro)/i,
  },
  {
    name: "medaka (Oryzias latipes)",
    ids: ensembl("ENSORLG"),
    genomes: /\b(oryzias|orylat|asm223467)/i,
  },
  {
    name: "fruit fly (Drosophila melanogaster)",
    ids: /^FBgn\d{7}/,
    genomes: /\b(bdgp|dm[36]\b)/i,
    symbols: /^(CG\d{4,5}$|mt:)/,
  },
  {
    name: "roundworm (Caenorhabditis elegans)",
    ids: /^WBGene\d{8}/,
    genomes: /\b(wbcel|ce1[01]\b)/i,
    symbols: /^(ceh|daf|unc|lin|let)-\d+$/,
  },
  {
    name: "thale cress (Arabidopsis thaliana)",
    ids: /^AT[1-5MC]G\d{5}/i,
    genomes: /\b(tair|araport)/i,
  },
  {
    name: "rice (Oryza sativa)",
    ids: /^(Os\d{2}g\d{7}|LOC_Os\d{2}g\d{5})/i,
    genomes: /\b(irgsp|os-nipponbare)/i,
  },
  {
    name: "maize (Zea mays)",
    ids: /^(Zm\d{5}[a-z]+\d{6}|GRMZM\d?G\d{6})/,
    genomes: /\b(zm-b73|b73)/i,
  },
  {
    name: "tomato (Solanum lycopersicum)",
    ids: /^Solyc\d{2}g\d{6}/,
    genomes: /\b(sl[234]\.0|itag)/i,
  },
  {
    name: "baker's yeast (Saccharomyces cerevisiae)",
    ids: /^Y[A-P][LR]\d{3}[WC]/,
    genomes: /\b(r64|saccer)/i,
  },
];

/** The form of Ensembl's gene IDs; the letters between ENS and G name the species. */
export const ANY_ENSEMBL = /^ENS[A-Z]{3,}G\d{11}/;
