export function ViewerPage() {
  return <h1>ViewerPage</h1>;
}
