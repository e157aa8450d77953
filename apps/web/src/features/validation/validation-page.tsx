export function ValidationPage() {
  return <h1>ValidationPage</h1>;
}
