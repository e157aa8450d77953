export const NOT_FOUND_TEXTS = {
  title: "Page not found",
  text: "This address doesn't exist. It may be mistyped, or the page may have moved.",
  home: "Go to Home",
  contact: "Contact",
};
