import { useEffect, useRef, useState, type RefObject } from "react";

/** Live width of an element in whole px; 0 before layout. */
export function useWidth<Kind extends HTMLElement>(): [RefObject<Kind | null>, number] {
  const element = useRef<Kind>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? 0)),
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
