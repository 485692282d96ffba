/**
 * `npm run cluster`: several nodes on this computer, with PostgreSQL and Redis of their own, behind a small balancer, for trying and
 * testing. However the program ends, it ends all that it started.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { UnusableFolder, makeWritableFolder } from '../server/data-folder.ts'
import { EXIT } from '../server/exit-codes.ts'
import { arePagesBuilt } from '../server/page-build.ts'
import { findFreePorts } from '../server/fixtures/free-ports.ts'
import { awaitOutput, endChildren, startChild, type TestChild } from '../server/fixtures/child-process.ts'
import { postgresMissing, startPostgresCluster } from '../server/store/fixtures/postgres-cluster.ts'
import { balanceConnections, balanceRequests } from './balancer.ts'
import { UsageError } from '../server/usage-error.ts'
import { readCommandLine, readNumber, readOrExit } from './command-line.ts'

const projectFolder = join(import.meta.dirname, '..')
/** A node drains within 9.5 s. */
const DRAIN_MS = 10_000
const MAX_NODES = 32

const MAX_PORT = 65_535

const USAGE = `Usage: npm run cluster -- [OPTIONS]
  --nodes N              how many nodes, from 1 to ${MAX_NODES}; 3 without it
  --port N               where the balancer takes plain http; 3000 without it, 0 takes any free port
  --https-port N         where it takes https; 3443 without it
  --spread connections   gives each connection to the next node, as without it
  --spread requests      gives each request over plain http to the next node
  --folder DIR           where all of it is kept; without it a temporary folder, removed at the end
  --no-pages             the HTTP API and the sync gateways alone
With DATABASE_URL or REDIS_URL set, those servers are used and none is started. While it runs, a line on its standard input ends or
starts a node: "kill 2" (as a power cut would), "stop 2" (it drains), "start 2".`

const options = {
  nodes: { type: 'string', default: '3' },
  port: { type: 'string', default: '3000' },
  'https-port': { type: 'string', default: '3443' },
  folder: { type: 'string' },
  spread: { type: 'string', default: 'connections' },
  'no-pages': { type: 'boolean', default: false },
} as const

/** Something is missing or does not start, and the person can mend it. The message is shown as one sentence. */
class ClusterError extends Error {}

interface ClusterNode {
  readonly number: number
  readonly port: number
  readonly httpsPort: number
  process: TestChild | null
}

interface Cluster {
  readonly nodes: readonly ClusterNode[]
  readonly environment: Readonly<Record<string, string>>
  readonly folder: string
  readonly pages: boolean
}

const nodes: ClusterNode[] = []
let isEnding = false
let removeAtEnd: string | null = null

interface ClusterChoices {
  readonly count: number
  readonly port: number
  readonly httpsPort: number
  readonly spread: 'connections' | 'requests'
  readonly givenFolder: string | undefined
  readonly pages: boolean
}

/** @throws {UsageError} */
function readChoices(): ClusterChoices {
  const { values } = readCommandLine({ usage: USAGE, options })
  const { spread } = values
  if (spread !== 'connections' && spread !== 'requests')
    throw new UsageError(`--spread is "${spread}": allowed is connections or requests.`)
  return {
    count: readNumber('nodes', values.nodes, 1, MAX_NODES),
    port: readNumber('port', values.port, 0, MAX_PORT),
    httpsPort: readNumber('https-port', values['https-port'], 0, MAX_PORT),
    spread,
    givenFolder: values.folder,
    pages: !values['no-pages'],
  }
}

async function main(): Promise<void> {
  const choices = readOrExit(readChoices)
  const { count, spread, pages } = choices
  // The balancer comes first: a port in use is known before anything else is started.
  const { plain, tls } = await startBalancers(choices)
  const folder = await openFolder(choices.givenFolder)
  if (pages) await buildPages()
  const environment = {
    DATABASE_URL: process.env.DATABASE_URL ?? (await startDatabase(join(folder, 'postgres'))),
    REDIS_URL: process.env.REDIS_URL ?? (await startRedis(folder)),
  }
  for (let number = 1; number <= count; number++)
    nodes.push({ number, ...(await findPorts()), process: null })
  const cluster: Cluster = { nodes, environment, folder, pages }
  // The first node creates the tables, and the secret and the certificate that all nodes share.
  await startNode(cluster, nodes[0]!)
  await Promise.all(nodes.slice(1).map((node) => startNode(cluster, node)))
  console.log(
    [
      '',
      `A cluster of ${count} is ready.`,
      `  http://localhost:${plain.port}    each of its ${spread} goes to the next node`,
      `  https://localhost:${tls.port}   each of its connections goes to the next node`,
      ...nodes.map(({ number, port, process: child }) => describeNode(number, port, child)),
      `  All of it is in ${folder}. "kill 2", "stop 2" and "start 2" do so. Ctrl+C ends.`,
      '',
    ].join('\n'),
  )
  listenToCommands(cluster)
}

/** Starts the balancer for http and the one for https. Both take their targets from the nodes that live. */
async function startBalancers({ spread, port, httpsPort }: ClusterChoices) {
  const living = (): ClusterNode[] => nodes.filter((node) => node.process !== null)
  const balance = spread === 'requests' ? balanceRequests : balanceConnections
  const plain = await balance({ port, targets: () => living().map((node) => node.port) }).catch(
    refusePort('port', port),
  )
  const tls = await balanceConnections({
    port: httpsPort,
    targets: () => living().map((node) => node.httpsPort),
  }).catch(refusePort('https-port', httpsPort))
  return { plain, tls }
}

const refusePort =
  (name: string, port: number) =>
  ({ code, message }: NodeJS.ErrnoException): never => {
    const problem =
      code === 'EADDRINUSE'
        ? `which another program uses: end that one (npm start, perhaps), or give another port`
        : `which cannot be listened on (${message})`
    throw new UsageError(`--${name} is "${port}", ${problem}.`)
  }

const describeNode = (number: number, port: number, child: TestChild | null): string =>
  `  node ${number}: http://localhost:${port}, process ${child?.process.pid ?? '–'}`

async function buildPages(): Promise<void> {
  if (await arePagesBuilt()) return
  const child = spawn(process.execPath, [join(projectFolder, 'scripts/build.ts')], {
    cwd: projectFolder,
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new ClusterError('The pages could not be built; the lines above say why.')
}

async function openFolder(given: string | undefined): Promise<string> {
  if (given !== undefined) {
    const folder = resolve(given)
    // PostgreSQL does not run as root: its own user must reach its folder in here.
    await makeWritableFolder(folder, 0o755).catch((error: unknown) => {
      if (!(error instanceof UnusableFolder)) throw error
      throw new UsageError(
        `--folder is "${given}", ${error.message}: allowed is a folder that you can write.`,
      )
    })
    return folder
  }
  const folder = await mkdtemp(join(tmpdir(), 'diptych-cluster-'))
  removeAtEnd = folder
  if (process.getuid?.() === 0) await chmod(folder, 0o711)
  return folder
}

async function startDatabase(folder: string): Promise<string> {
  if (postgresMissing !== null)
    throw new ClusterError(
      `${postgresMissing}. Install it (apt-get install postgresql), or set DATABASE_URL.`,
    )
  await mkdir(folder, { recursive: true })
  const postgres = await startPostgresCluster(folder)
  await postgres.run('create database diptych').catch((error: Error & { code?: string }) => {
    if (error.code !== '42P04') throw error // it is there from the last time
  })
  return postgres.urlOf('diptych')
}

async function startRedis(folder: string): Promise<string> {
  const [port] = await findFreePorts(1)
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  for (const program of ['redis-server', 'valkey-server']) {
    const child = startChild(program, args, { cwd: folder })
    const isReady = await awaitOutput(child, /Ready to accept connections/).catch((error: Error) => error)
    if (!(isReady instanceof Error)) return `redis://127.0.0.1:${port}`
    if ('syscall' in isReady) continue // there is no such program
    throw new ClusterError(`${program} did not start: ${isReady.message}`)
  }
  throw new ClusterError(
    'Redis is not installed: neither redis-server nor valkey-server is on the PATH. Install one (apt-get install redis-server), or set REDIS_URL.',
  )
}

async function startNode({ nodes, environment, folder, pages }: Cluster, node: ClusterNode): Promise<void> {
  const { number, port, httpsPort } = node
  const dataDir = join(folder, `node-${number}`)
  const [first] = nodes
  if (first && first !== node)
    for (const shared of ['secret', 'tls'])
      await cp(join(folder, `node-${first.number}`, shared), join(dataDir, shared), { recursive: true })
  const args = ['--import', './server/require-node.js', 'server/main.ts', ...(pages ? [] : ['--no-pages'])]
  const child = startChild(process.execPath, args, {
    cwd: projectFolder,
    env: {
      ...process.env,
      ...environment,
      HOST: '127.0.0.1',
      PORT: `${port}`,
      HTTPS_PORT: `${httpsPort}`,
      NODE_URL: `http://127.0.0.1:${port}`,
      DATA_DIR: dataDir,
    },
  })
  await awaitOutput(child, /Ctrl\+C/).catch((error: Error) => {
    throw new ClusterError(`Node ${number} did not start. ${error.message.trim()}`)
  })
  node.process = child
  child.process.stderr.on('data', (chunk: string) =>
    process.stderr.write(chunk.replace(/^(?=.)/gm, `node ${number}: `)),
  )
  child.process.once('exit', (code, signal) => {
    if (node.process !== child) return
    node.process = null
    if (!isEnding) console.log(`node ${number} has ended (${signal ?? `code ${code}`})`)
  })
}

function listenToCommands(cluster: Cluster): void {
  createInterface({ input: process.stdin }).on('line', (line) => {
    runCommand(cluster, line.trim()).catch((error: unknown) => console.error(String(error)))
  })
}

async function runCommand(cluster: Cluster, line: string): Promise<void> {
  if (line === '') return
  const [, command, number] = /^(kill|stop|start) (\d+)$/.exec(line) ?? []
  const node = cluster.nodes.find((each) => each.number === Number(number))
  if (!node) return console.log(`"${line}": allowed is kill, stop or start, and the number of a node.`)
  const child = node.process
  if (command === 'start') {
    if (child) return console.log(`node ${node.number} runs already`)
    await startNode(cluster, node)
    console.log(describeNode(node.number, node.port, node.process))
  } else if (!child) console.log(`node ${node.number} does not run`)
  else child.process.kill(command === 'kill' ? 'SIGKILL' : 'SIGTERM')
}

async function findPorts(): Promise<{ port: number; httpsPort: number }> {
  const [port = 0, httpsPort = 0] = await findFreePorts(2)
  return { port, httpsPort }
}

/** The nodes drain while their servers still run; a second signal, or a node that hangs, is not waited for. */
async function end(code: number): Promise<never> {
  if (!isEnding) {
    isEnding = true
    const drained = nodes.flatMap(({ process: child }) => {
      child?.process.kill('SIGTERM')
      return child ? [child.ended] : []
    })
    await Promise.race([Promise.allSettled(drained), new Promise((resolve) => setTimeout(resolve, DRAIN_MS))])
  }
  await endChildren()
  if (removeAtEnd) await rm(removeAtEnd, { recursive: true, force: true, maxRetries: 5 })
  process.exit(code)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void end(signal === 'SIGINT' ? 130 : 143))
await main().catch((error: unknown) => {
  const isForPerson = error instanceof ClusterError || error instanceof UsageError
  console.error(isForPerson ? error.message : error)
  return end(error instanceof UsageError ? EXIT.setting : EXIT.failed)
})
