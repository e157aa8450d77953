import {
  DARK_IMAGES,
  getImage,
  TISSUE_HEADER,
  type IMAGE_WIDTHS,
} from "@stipple/contract/routes/results";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiError, apiResponse } from "../../app/api.ts";
import { useGround } from "../../components/use-ground.ts";

/** The part of a figure that shows the tissue, in fractions of its width and height. */
export interface TissueBox {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface ResultImage {
  url: string | undefined;
  failed: boolean;
  /** Unknown for figures of earlier versions. */
  tissue: TissueBox | undefined;
}

/**
 * A result image for a page, scaled down and in the page's light or dark version. Fetched with the bearer token, and
 * again when `version` changes; not while that is undefined.
 */
export function useResultImage(
  projectId: string,
  path: string,
  version: string | null | undefined,
  width: (typeof IMAGE_WIDTHS)[number] = "1600",
): ResultImage {
  const dark = useGround() === "dark" ? DARK_IMAGES[path] : undefined;
  const { data, isError } = useQuery({
    queryKey: ["result-image", projectId, dark ?? path, version, width],
    enabled: version !== undefined,
    staleTime: Infinity,
    gcTime: 60_000,
    queryFn: async ({ signal }) => {
      const query = { project_id: projectId, ...(version ? { t: version } : {}), width };
      const image = (file: string) =>
        apiResponse(getImage, { params: { "*": file }, query, signal });
      const response = await (dark === undefined
        ? image(path)
        : image(dark).catch((error: unknown) => {
            if (error instanceof ApiError && error.status === 404) return image(path);
            throw error;
          }));
      return {
        blob: await response.blob(),
        tissue: tissueBox(response.headers.get(TISSUE_HEADER)),
      };
    },
  });
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!data) return;
    const made = URL.createObjectURL(data.blob);
    setUrl(made);
    return () => {
      setUrl(undefined);
      URL.revokeObjectURL(made);
    };
  }, [data]);
  return { url, failed: isError, tissue: data?.tissue };
}

/** "left top width height", as the server writes it. */
export function tissueBox(header: string | null): TissueBox | undefined {
  const [left, top, width, height] = (header ?? "").split(" ").map(Number);
  const isBox = [left, top, width, height].every((value) => Number.isFinite(value));
  return isBox && width! > 0 && height! > 0
    ? { left: left!, top: top!, width: width!, height: height! }
    : undefined;
}
