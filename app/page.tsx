export default function Page() { return <main>hello</main> }
