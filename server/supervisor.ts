/**
 * What `npm start` runs: the server as a child, restarted when it crashes. It forwards the order to end, ends when npm is gone, and the
 * server ends when this process is gone. The order goes by the channel and not as a signal: a terminal signals both processes, and a server that
 * gets a second signal ends at once. It knows processes; it does not know what the server does.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { EXIT } from './exit-codes.ts'
import { watchNpm } from './npm-process.ts'
import { decideRestart } from './restart-policy.ts'
import { END_MESSAGE, READY_MESSAGE } from './supervisor-channel.ts'

/** The server's own limit is lower; this one is for a server whose event loop hangs. */
const KILL_AFTER_MS = 12_000

const program = join(import.meta.dirname, 'main.ts')

let server: ChildProcess | null = null
let restartTimer: NodeJS.Timeout | undefined
let wasReady = false
let crashes = 0
let isEnding = false

function startServerProcess(): void {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...process.execArgv, program, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  server = child
  child.on('message', (message) => {
    wasReady ||= message === READY_MESSAGE
  })
  // The child could not be started, or a message could not be sent. In the latter case the child exits.
  child.on('error', (error) => {
    console.error(`The server's process failed: ${error.message}`)
    if (child.pid === undefined) process.exit(EXIT.failed)
  })
  child.once('exit', (code, signal) => onExit(code, signal, performance.now() - startedAt))
}

function onExit(code: number | null, signal: NodeJS.Signals | null, uptimeMs: number): void {
  server = null
  if (isEnding) process.exit(code ?? EXIT.failed)
  const decision = decideRestart({ code, wasReady, uptimeMs, crashes })
  if ('exit' in decision) process.exit(decision.exit)
  crashes = decision.crashes
  const outcome = signal ? `was ended by ${signal}` : `ended with code ${code}`
  console.error(`Diptych ${outcome}, and is started again in ${decision.delayMs / 1000} s.`)
  restartTimer = setTimeout(startServerProcess, decision.delayMs)
}

/** A second order to end does not wait. */
function endServerProcess(): void {
  if (isEnding) server?.kill('SIGKILL')
  else drainServerProcess()
}

function drainServerProcess(): void {
  if (!server) process.exit(EXIT.ended)
  if (isEnding) return
  isEnding = true
  clearTimeout(restartTimer)
  server.send(END_MESSAGE, () => {}) // if this fails, the server is ending already
  setTimeout(() => server?.kill('SIGKILL'), KILL_AFTER_MS)
}

process.on('SIGTERM', endServerProcess)
process.on('SIGINT', endServerProcess)
watchNpm(drainServerProcess)
startServerProcess()
