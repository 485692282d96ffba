/**
 * `npm run chaos`: the server dies by SIGKILL 200 times while five write, told step by step; and beside it, on a server that lives,
 * a stock client that says nothing for 2 min keeps its one connection.
 *
 * Usage: npm run chaos -- [--seed N] [--kills N]
 */
import { parseArgs } from 'node:util'
import { chaos } from '../e2e/chaos/kills.ts'
import { idleConnections } from '../e2e/chaos/stock.ts'

const IDLE_MS = 125_000

const { values } = parseArgs({
  options: { seed: { type: 'string' }, kills: { type: 'string', default: '200' } },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const kills = Number(values.kills)

console.log(`seed ${seed}, ${kills} kills`)
const idle = idleConnections(IDLE_MS)
try {
  const { tokens, acknowledged, links } = await chaos({ seed, kills, onStep: (step) => console.log(step) })
  console.log(
    `${tokens} tokens, ${acknowledged} acknowledged, ${links} links; every replica and the store agree.`,
  )
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.error(`Again: npm run chaos -- --seed ${seed} --kills ${kills}`)
  process.exitCode = 1
}
const connections = await idle
console.log(`A silent stock client took ${connections} connection(s) in ${IDLE_MS / 1000} s.`)
if (connections !== 1) process.exitCode = 1
