import {
  FIGURE_PARTS_HEADER,
  figurePartsOf,
  type FigureParts,
} from "@stipple/contract/figure-parts";
import { DARK_IMAGES, getImage, type IMAGE_WIDTHS } from "@stipple/contract/routes/results";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiError, apiResponse } from "../app/api.ts";
import { useGround } from "../components/use-ground.ts";

export type ResultImage = ReturnType<typeof useResultImage>;

/**
 * A result image for a page, scaled down and in the page's light or dark version. Fetched with the bearer token, and
 * again when `version` changes; not while that is undefined.
 */
export function useResultImage(
  projectId: string,
  path: string,
  version: string | null | undefined,
  width: (typeof IMAGE_WIDTHS)[number] = "1600",
) {
  const dark = useGround() === "dark" ? DARK_IMAGES[path] : undefined;
  const { data, error } = useQuery({
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
        parts: figureParts(response.headers.get(FIGURE_PARTS_HEADER)),
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
  /** Parts are unknown for figures of earlier versions. */
  return { url, error, parts: data?.parts };
}

/** Eight fractions, as the server writes them. */
export function figureParts(header: string | null): FigureParts | undefined {
  return figurePartsOf((header ?? "").split(" ").map(Number));
}
