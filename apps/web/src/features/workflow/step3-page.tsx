export function Step3Page() {
  return <h1>Step3Page</h1>;
}
