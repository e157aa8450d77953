export const NOT_FOUND_TEXTS = {
  title: "Page not found",
  text: "There is nothing at this address. It may have been mistyped, or the page has moved.",
  home: "Go to Home",
  contact: "Contact",
};
