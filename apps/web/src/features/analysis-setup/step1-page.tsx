export function Step1Page() {
  return <h1>Step1Page</h1>;
}
