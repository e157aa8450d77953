import { lazy, type ComponentType, type FunctionComponent } from "react";

/** Pauses before the second and third try, ms. */
const PAUSES_MS = [500, 2000];

/**
 * Loads code; on a failed connection it retries twice. Browsers remember that a URL failed, so retries request the
 * same file under a different URL.
 */
export function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  return PAUSES_MS.reduce(
    (trial, pauseMs) =>
      trial.catch(async (failure: unknown) => {
        const [address] = /https?:[^?\s]+/.exec(String(failure)) ?? [];
        if (!address) throw failure;
        await new Promise((done) => setTimeout(done, pauseMs));
        return import(/* @vite-ignore */ `${address}?${pauseMs}`) as Promise<Code>;
      }),
    load(),
  );
}

type PropsOf<Part> = Part extends ComponentType<infer Props> ? Props : never;

/** A component of a module that is loaded when it is first shown. */
export function lazyPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): FunctionComponent<PropsOf<Module[Name]>> {
  return lazy(async () => ({
    default: (await loadCode(load))[name] as ComponentType<PropsOf<Module[Name]>>,
  }));
}
