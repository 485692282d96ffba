import { RealServer, waitUntil } from './fixtures/real-server.ts'
const url = process.argv[2]!
await using server = await RealServer.start({ environment: { DATABASE_URL: url } })
const shared = await server.createDocument()
const route = { transport: 'websocket', scheme: 'http' } as const
const a = server.openDocument(shared, route), b = server.openDocument(shared, route, 'other')
await a.whenSynced; await b.whenSynced
const t: number[] = []
for (let i = 0; i < 300; i++) { const s = performance.now(); a.doc.getText('trace').insert(0, 'x'); await a.whenSaved(); t.push(performance.now() - s) }
t.sort((x, y) => x - y); console.log('key→saved ms p50', t[150]!.toFixed(2), 'p95', t[285]!.toFixed(2))
await waitUntil(() => b.doc.getText('trace').length === 300)
console.log(await (await fetch(server.origin('http') + '/healthz')).text())
console.log((await (await fetch(server.origin('http') + '/metrics')).text()).match(/diptych_store.*/g))
await a.close(); await b.close()
await server.stop(); await server.start()
const c = server.openDocument(shared, route); await c.whenSynced
console.log('after restart', c.doc.getText('trace').length); await c.close()
