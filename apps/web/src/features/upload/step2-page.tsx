export function Step2Page() {
  return <h1>Step2Page</h1>;
}
