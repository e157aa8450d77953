import { DARK_IMAGES, getImage, type IMAGE_WIDTHS } from "@stipple/contract/routes/results";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiError, apiResponse } from "../../app/api.ts";
import { useGround } from "../../components/use-ground.ts";

/** Wide enough for the largest slot on the page on a high-DPI screen; the original figures are several MB. */
const SHOWN_WIDTH: (typeof IMAGE_WIDTHS)[number] = "1600";

/**
 * URL of a result image for this page, scaled down and in the page's light or dark version. Fetched with the bearer
 * token, and again when `version` changes.
 */
export function useResultImage(
  projectId: string,
  path: string,
  version: string | null | undefined,
): { url: string | undefined; failed: boolean } {
  const dark = useGround() === "dark" ? DARK_IMAGES[path] : undefined;
  const { data, isError } = useQuery({
    queryKey: ["result-image", projectId, dark ?? path, version],
    enabled: version !== undefined,
    staleTime: Infinity,
    gcTime: 60_000,
    queryFn: async ({ signal }) => {
      const query = {
        project_id: projectId,
        ...(version ? { t: version } : {}),
        width: SHOWN_WIDTH,
      };
      const image = (file: string) =>
        apiResponse(getImage, { params: { "*": file }, query, signal });
      const response = await (dark === undefined
        ? image(path)
        : image(dark).catch((error: unknown) => {
            if (error instanceof ApiError && error.status === 404) return image(path);
            throw error;
          }));
      return response.blob();
    },
  });
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!data) return;
    const made = URL.createObjectURL(data);
    setUrl(made);
    return () => {
      setUrl(undefined);
      URL.revokeObjectURL(made);
    };
  }, [data]);
  return { url, failed: isError };
}
