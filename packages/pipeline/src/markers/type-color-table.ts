/**
 * One color per cell type, in every project. Keys are terms of the Cell Ontology or, where several types of the
 * catalogue share a term, the name of all but the first. Never change a color: figures of old and new projects must
 * agree. For a type without a color, type-colors.test.ts suggests one.
 */
export const TYPE_COLORS: Readonly<Record<string, string>> = {
  "CL:0000057": "#0072B2", // Fibroblast
  "CL:0001063": "#E69F00", // Tumor epithelial
  "CL:0000084": "#009E73", // T cell
  "CL:0000066": "#CC79A7", // Epithelial
  "CL:0000235": "#56B4E9", // Macrophage
  "CL:0000115": "#D55E00", // Endothelial
  "CL:0000236": "#332288", // B cell
  "CL:0000192": "#DDCC77", // Smooth muscle
  "CL:0000786": "#444400", // Plasma cell
  "CL:0000669": "#882244", // Pericyte
  "CL:0000540": "#33FFBB", // Neuron
  "CL:0000127": "#8877EE", // Astrocyte
  "CL:0000128": "#226666", // Oligodendrocyte
  "CL:0000129": "#885544", // Microglia
  "CL:0000679": "#77BB33", // Excitatory neuron
  "CL:0000617": "#775588", // Inhibitory neuron
  "CL:0000182": "#886644", // Hepatocyte
  "CL:0002326": "#885500", // Luminal epithelial
  "CL:0002324": "#005566", // Myoepithelial
  "CL:0000097": "#888844", // Mast cell
  "CL:0000623": "#DDAAAA", // NK cell
  "CL:0000624": "#FF7788", // CD4 T cell
  "CL:0000625": "#EECCFF", // CD8 T cell
  "CL:0000451": "#BBEE44", // Dendritic cell
  "CL:0000576": "#00CCAA", // Monocyte
  "CL:0000775": "#3355AA", // Neutrophil
  "CL:0000136": "#992222", // Adipocyte
  "CL:0002138": "#7799FF", // Lymphatic endothelial
  "CL:0000988": "#338888", // Immune
  "CL:0000499": "#AA7766", // Stromal
  "CL:0000542": "#CC9966", // Lymphocyte
  "CL:0000763": "#8877AA", // Myeloid
  "CL:0000125": "#AA5577", // Glia
  "CL:0002319": "#FFCCAA", // Neural
  "CL:0002573": "#88AA88", // Schwann cell
  "CL:0002453": "#553355", // OPC
  "CL:0000764": "#AA99CC", // Erythroid
  "CL:0002187": "#005544", // Basal keratinocyte
  "CL:0000844": "#007744", // Germinal center B cell
  "CL:0000584": "#6666EE", // Enterocyte
  "CL:0000160": "#883377", // Goblet cell
  "CL:1000347": "#336655", // Colonocyte
  "CL:0002064": "#226633", // Acinar cell
  "CL:0002306": "#995522", // Proximal tubule
  "CL:0000746": "#AA66DD", // Cardiomyocyte
  "CL:4030059": "#BB3300", // Upper-layer excitatory neuron
  "CL:4030063": "#996633", // Layer 4 excitatory neuron
  "Layer 5 excitatory neuron": "#447755",
  "Layer 6 excitatory neuron": "#FF9955",
  "CL:0002608": "#CC3355", // Hippocampal excitatory neuron
  "CL:0011005": "#882288", // PVALB interneuron
  "SST interneuron": "#BB77CC",
  "VIP interneuron": "#CCCC00",
  "LAMP5 interneuron": "#00AAAA",
  "CL:1001474": "#225522", // Medium spiny neuron
  "CL:0000700": "#9955CC", // Dopaminergic neuron
  "CL:0001031": "#668800", // Cerebellar granule cell
  "CL:0000121": "#99EECC", // Purkinje cell
  "CL:0000065": "#99CC88", // Ependymal
  "CL:0002085": "#DD4488", // Tanycyte
  "CL:0000706": "#CCAACC", // Choroid plexus
  "CL:0011020": "#CC7777", // Neural progenitor
  "CL:0000815": "#66DDEE", // Regulatory T cell
  "CL:0000784": "#AA9900", // Plasmacytoid dendritic cell
  "CL:0000771": "#5533BB", // Eosinophil
  "CL:0000233": "#EE99FF", // Platelet
  "CL:0008001": "#663333", // Hematopoietic progenitor
  "CL:0000077": "#FF99BB", // Mesothelial
  "CL:0000556": "#BB8899", // Megakaryocyte
  "CL:0011026": "#AA5599", // Progenitor
  "CL:0000163": "#DD6655", // Endocrine
  "CL:0000187": "#443366", // Muscle
  "CL:0000586": "#AA6666", // Germ cell
  "CL:0000351": "#4499AA", // Trophoblast
  "CL:0000223": "#AA8833", // Endoderm
  Gonadal: "#44EE88",
  "CL:0000210": "#776633", // Photoreceptor
  "CL:0000748": "#774488", // Bipolar cell
  "CL:0000636": "#99BB44", // Müller glia
  "CL:0002586": "#8866DD", // Retinal pigment epithelium
  "CL:4033013": "#AABB22", // Suprabasal keratinocyte
  "CL:0002189": "#CC3333", // Granular keratinocyte
  "CL:0002559": "#5577EE", // Hair follicle cell
  "CL:0000317": "#664466", // Sebocyte
  "CL:1000448": "#BB2255", // Sweat gland cell
  "CL:0000453": "#7755DD", // Langerhans cell
  "CL:0000148": "#99BBDD", // Melanocyte
  "CL:0002340": "#775577", // Prostate luminal epithelial
  "CL:0002341": "#DDBB00", // Prostate basal epithelial
  "CL:0000731": "#115577", // Urothelial
  "CL:0002062": "#CC66DD", // Alveolar type 1
  "CL:0002063": "#77CC44", // Alveolar type 2
  "CL:0000158": "#AA5500", // Club cell
  "CL:0000064": "#446644", // Ciliated cell
  "CL:0002633": "#AA2288", // Airway basal cell
  "CL:0002250": "#AA77DD", // Intestinal stem cell
  "Colorectal tumor epithelial": "#557744",
  "CL:0000510": "#AA4411", // Paneth cell
  "CL:0000164": "#DDAA44", // Enteroendocrine
  "CL:0002204": "#77BBBB", // Tuft cell
  "CL:4040002": "#00BB66", // Enteric glia
  "CL:0002088": "#663355", // Interstitial cell of Cajal
  "CL:0002179": "#556633", // Gastric pit cell
  "CL:0000155": "#7777CC", // Gastric chief cell
  "CL:0000162": "#2288EE", // Parietal cell
  "CL:1000488": "#FFAA55", // Cholangiocyte
  "CL:0000091": "#885555", // Kupffer cell
  "CL:1000398": "#AA1166", // Liver sinusoidal endothelial
  "CL:0000632": "#883399", // Hepatic stellate cell
  "CL:0002079": "#667733", // Pancreatic ductal
  "CL:0000169": "#CCAA55", // Beta cell
  "CL:0000171": "#88CC22", // Alpha cell
  "CL:0000173": "#8888CC", // Delta cell
  "CL:1000909": "#99AA44", // Loop of Henle
  "CL:0002305": "#770022", // Distal tubule
  "CL:1001431": "#BB55CC", // Collecting duct principal
  "CL:1001432": "#7777FF", // Collecting duct intercalated
  "CL:0000653": "#99DDBB", // Podocyte
  "CL:0000650": "#337733", // Mesangial cell
  "CL:0002350": "#994422", // Endocardial
  "CL:0008002": "#2299DD", // Skeletal muscle fiber
  "CL:0000594": "#3366DD", // Satellite cell
  "CL:0002258": "#448822", // Thyrocyte
  "CL:0000138": "#444488", // Chondrocyte
  "CL:0000062": "#664477", // Osteoblast
  "CL:0000092": "#884400", // Osteoclast
  "CL:0002149": "#887744", // Endometrial epithelial
  "CL:2000002": "#776611", // Decidual cell
  "CL:0002132": "#AACC55", // Ovarian stromal
  "CL:0000501": "#885566", // Granulosa cell
  "CL:0000503": "#9977FF", // Theca cell
  "CL:0000175": "#772288", // Luteal cell
  "CL:0000023": "#770055", // Oocyte
  "CL:0000178": "#775599", // Leydig cell
  "CL:0000216": "#337788", // Sertoli cell
  "CL:0000020": "#5588BB", // Spermatogonium
  "CL:0000017": "#992277", // Spermatocyte
  "CL:0000018": "#CC4455", // Spermatid
  "CL:0000525": "#DD5599", // Syncytiotrophoblast
  "CL:0000523": "#997799", // Cytotrophoblast
  "CL:0008036": "#55CC55", // Extravillous trophoblast
  "CL:0002499": "#CC3344", // Spongiotrophoblast
  "CL:0002488": "#5555CC", // Trophoblast giant cell
  "Yolk sac endoderm": "#4477CC",
  "CL:0000442": "#BB3333", // Follicular dendritic cell
  "CL:0009101": "#666622", // Fibroblastic reticular cell
  "CL:0002652": "#AABB77", // High endothelial venule
  "CL:0000874": "#88DD99", // Red pulp macrophage
  "CL:2000053": "#5588DD", // Splenic sinus endothelial
  "Prostate tumor epithelial": "#6677BB",
  "Lung tumor epithelial": "#BB99BB",
  "Hepatocellular carcinoma cell": "#AA44BB",
  "Renal carcinoma cell": "#CCAA11",
  "Ovarian tumor epithelial": "#CC6688",
  "Pancreatic tumor epithelial": "#3388BB",
  "Melanoma cell": "#BB1133",
  "CL:0008019": "#884455", // Mesenchymal cell
  "CL:0011012": "#EE8844", // Neural crest cell
  "CL:0000056": "#885577", // Myoblast
  "CL:0000114": "#88CC99", // Surface ectoderm
};
