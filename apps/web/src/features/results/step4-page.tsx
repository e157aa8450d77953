export function Step4Page() {
  return <h1>Step4Page</h1>;
}
