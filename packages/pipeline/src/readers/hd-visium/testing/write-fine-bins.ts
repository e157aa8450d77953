import h5wasm, { File as H5File } from "h5wasm/node";

/** One bin's array position and its counts by gene index. */
export interface TestBin {
  row: number;
  col: number;
  counts: Record<number, number>;
}

/** Writes bins in Space Ranger's format, for tests. */
export async function writeFineBins(
  path: string,
  bins: readonly TestBin[],
  genes: readonly string[],
  { binUm = 2, types = genes.map(() => "Gene Expression") } = {},
): Promise<void> {
  await h5wasm.ready;
  const digits = (value: number, width: number): string => String(value).padStart(width, "0");
  const entries = bins.map(({ counts }) => Object.entries(counts));
  const file = new H5File(path, "w");
  const put = (name: string, data: unknown): void => {
    file.create_dataset({ name: `matrix/${name}`, data: data as string[] });
  };
  file.create_group("matrix");
  file.create_group("matrix/features");
  put(
    "barcodes",
    bins.map(({ row, col }) => `s_${digits(binUm, 3)}um_${digits(row, 5)}_${digits(col, 5)}-1`),
  );
  let at = 0;
  put("indptr", BigInt64Array.from([0n, ...entries.map((own) => BigInt((at += own.length)))]));
  put("indices", BigInt64Array.from(entries.flat().map(([gene]) => BigInt(gene))));
  put("data", Int32Array.from(entries.flat().map(([, count]) => count)));
  put("shape", Int32Array.of(genes.length, bins.length));
  put("features/id", genes);
  put("features/name", genes);
  put("features/feature_type", types);
  file.close();
}
