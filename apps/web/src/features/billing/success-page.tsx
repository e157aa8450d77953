export function SuccessPage() {
  return <h1>SuccessPage</h1>;
}
