import { createElement, lazy, type ComponentType, type FunctionComponent } from "react";

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
        return import(/* @vite-ignore */ `${address}?${Date.now()}`) as Promise<Code>;
      }),
    load(),
  );
}

type PropsOf<Part> = Part extends ComponentType<infer Props extends object> ? Props : never;

/** A component of a module that is loaded when it is first shown; after a failure, again once the browser is online. */
export function lazyPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): FunctionComponent<PropsOf<Module[Name]>> {
  type Props = PropsOf<Module[Name]>;
  const once = () =>
    lazy(async () => {
      const loading = loadCode(load);
      loading.catch(() => addEventListener("online", () => (Part = once()), { once: true }));
      return { default: (await loading)[name] as ComponentType<Props> };
    }) as FunctionComponent<Props>;
  let Part = once();
  return (props) => createElement<Props>(Part, props);
}
