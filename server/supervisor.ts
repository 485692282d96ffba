/**
 * What `npm start` runs: the server as a child, started again when it crashes. It passes on that it is to end, and the server ends
 * when this process is gone. Signals go by the channel: a terminal signals both processes, and a server that is signalled twice
 * does not wait for anything. Knows processes; does not know what the server does.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { EXIT } from './exit-codes.ts'
import { nextStep } from './restart-policy.ts'
import { END, READY } from './supervision.ts'

/** The server's own limit is below it; this is for one whose event loop hangs. */
const END_WITHIN_MS = 12_000

const program = join(import.meta.dirname, 'main.ts')

let server: ChildProcess | null = null
let startAgain: NodeJS.Timeout | undefined
let wasReady = false
let crashes = 0
let ending = false

function start(): void {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...process.execArgv, program, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  server = child
  child.on('message', (message) => {
    wasReady ||= message === READY
  })
  // It could not be started, or not be told: then it exits, or never was.
  child.on('error', (error) => {
    console.error(`The server's process failed: ${error.message}`)
    if (child.pid === undefined) process.exit(EXIT.failed)
  })
  child.once('exit', (code, signal) => onExit(code, signal, performance.now() - startedAt))
}

function onExit(code: number | null, signal: NodeJS.Signals | null, livedMs: number): void {
  server = null
  if (ending) process.exit(code ?? EXIT.failed)
  const next = nextStep({ code, wasReady, livedMs, crashes })
  if ('exit' in next) process.exit(next.exit)
  crashes = next.crashes
  const how = signal ? `was ended by ${signal}` : `ended with code ${code}`
  console.error(`Diptych ${how}, and is started again in ${next.delayMs / 1000} s.`)
  startAgain = setTimeout(start, next.delayMs)
}

function end(): void {
  if (!server) process.exit(EXIT.ended)
  if (ending) return void server.kill('SIGKILL')
  ending = true
  clearTimeout(startAgain)
  server.send(END, () => {}) // where that fails it is ending already
  setTimeout(() => server?.kill('SIGKILL'), END_WITHIN_MS)
}

process.on('SIGTERM', end)
process.on('SIGINT', end)
start()
