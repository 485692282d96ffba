/** The composition: binds the ports, opens the services, starts routing, and takes everything down again in order. */
import type { Logger } from 'pino'
import { createAssetHandler, serveNoAssets } from './assets.ts'
import type { Certificate } from './certificate.ts'
import { certificateFor } from './certificate.ts'
import type { Config } from './config.ts'
import { lockDataFolder, prepareDataFolder, prepareFilesFolder } from './data-folder.ts'
import { createRequestRouter } from './request-router.ts'
import { drainInOrder } from './drain.ts'
import { createHealthCheck } from './health.ts'
import { CLOSE_GRACE_MS } from './listener-limits.ts'
import type { Listener } from './listener.ts'
import { startListener } from './listener.ts'
import { assetsFolder, projectFolder } from './page-build.ts'
import type { Pages } from './pages.ts'
import { createPages } from './pages.ts'
import type { ServerServices } from './services.ts'
import { openServices } from './services.ts'
import { withRequestId } from './request-log.ts'
import { mayUseHsts, createPageHeaders } from './security-headers.ts'
import { noTracing, type Tracing } from './tracing/tracing.ts'
import { version } from './version.ts'

export interface StartOptions {
  readonly log: Logger
  /** Compiles pages on request, and makes them reload themselves. */
  readonly dev?: boolean
  /** False for a server of the API and the gateways alone, as in tests. Default true. */
  readonly pages?: boolean
  /** Builds the pages; runs once the ports are bound and before any request is answered. */
  readonly prepare?: () => Promise<void>
  /** Default `openServices`. */
  readonly open?: (config: Config, log: Logger, tracing: Tracing) => Promise<ServerServices>
  /** It is closed at the end of the drain. By default nothing is traced. */
  readonly tracing?: Tracing
}

export interface RunningServer {
  /** The origin by which this computer reaches the server, with the bound port: `http://localhost:3000`. */
  readonly http: string
  readonly https: string
  /** Whether this machine created the certificate, so that browsers must be told to trust it. */
  readonly localCertificate: boolean
  /** Ends everything, each step within its own limit, even when one hangs. Never rejects. */
  drain(): Promise<void>
}

/** An owner may replace a certificate while the server runs, and a local one expires. */
const RENEW_INTERVAL_MS = 12 * 60 * 60 * 1000

/** @throws {SettingError} for a setting that cannot be used. */
export async function startServer(config: Config, options: StartOptions): Promise<RunningServer> {
  await prepareDataFolder(config.dataDir)
  if (config.filesDir !== null) await prepareFilesFolder(config.filesDir)
  const unlock = lockDataFolder(config.dataDir)
  try {
    const server = await startWithLock(config, options)
    return { ...server, drain: () => server.drain().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}

async function startWithLock(config: Config, options: StartOptions): Promise<RunningServer> {
  const { log } = options
  const certificate = await certificateFor(config)
  // Pages under development have their own WebSocket, which supports Upgrade alone.
  const websocketOverH2 = config.websocketOverH2 && !options.dev
  // A balancer would give to a node that starts what others can answer.
  const listener = await startListener({ ...config, websocketOverH2 }, certificate, log, isBalanced(config))
  try {
    return await startRouting(config, options, listener, certificate)
  } catch (error) {
    await listener.close(0)
    throw error
  }
}

/** Nobody knows a port that the system chooses before the node says it. */
const isBalanced = ({ databaseUrl, port, httpsPort }: Config): boolean =>
  databaseUrl !== null && port !== 0 && httpsPort !== 0

async function startRouting(
  config: Config,
  options: StartOptions,
  listener: Listener,
  certificate: Certificate,
): Promise<RunningServer> {
  const { log, prepare, open = openServices, tracing = noTracing } = options
  const requestLog = withRequestId(log)
  const { httpsPort } = listener
  let draining = false
  await prepare?.()
  // The ports that are bound now, also where the settings let the system choose.
  const services = await open({ ...config, port: listener.port, httpsPort }, log, tracing)
  const pages = await openPages(config, options, listener, services)
  const { checkStore, storeKind } = services
  const health = createHealthCheck({ version, storeKind, checkStore, draining: () => draining })
  const assets = pages && !options.dev ? createAssetHandler(assetsFolder) : serveNoAssets
  const https = { httpsPort, publicUrl: config.publicUrl }
  const hiddenPages = config.adminToken === null ? ['/admin'] : []
  listener.setRouter(
    createRequestRouter({ ...services, health, assets, pages, hiddenPages, https, log: requestLog, tracing }),
  )
  const renewal = scheduleCertificateRenewal(config, listener, certificate, log)

  const drain = (): Promise<void> => {
    draining = true
    clearInterval(renewal)
    const stopAccepting = { name: 'connections', limitMs: 500, run: () => listener.stopAccepting() }
    const askToLeave = { name: 'clients', limitMs: 500, run: () => listener.askToLeave() }
    const steps = [
      // A node takes none that others can serve. In any case before the windows are sent away: they must not come back here.
      ...(isBalanced(config)
        ? [stopAccepting, askToLeave, ...services.finishSteps]
        : [...services.finishSteps, stopAccepting]),
      ...services.drainSteps,
      { name: 'listener', limitMs: 2 * CLOSE_GRACE_MS, run: () => listener.close(CLOSE_GRACE_MS) },
      ...services.closeSteps,
      { name: 'pages', limitMs: 500, run: () => pages?.close() },
      { name: 'traces', limitMs: 500, run: () => tracing.close() },
    ]
    return drainInOrder(steps, log)
  }
  let drained: Promise<void> | undefined
  if (isBalanced(config)) {
    await services.whenIntroduced
    await listener.accept().catch(async (error: unknown) => {
      await drain()
      throw error
    })
  }
  return {
    http: `http://localhost:${listener.port}`,
    https: `https://localhost:${httpsPort}`,
    localCertificate: certificate.local,
    drain: () => (drained ??= drain()),
  }
}

async function openPages(
  config: Config,
  { pages = true, dev = false, log }: StartOptions,
  { port }: Listener,
  { issueGuest, takePage }: ServerServices,
): Promise<Pages | null> {
  if (!pages) return null
  // Next takes a second to load; a server without pages does not wait for it.
  const { openNext } = await import('./next-pages.ts')
  const source = await openNext({ dev, folder: projectFolder, port })
  return createPages({
    source,
    issueGuest,
    takePage,
    log: withRequestId(log),
    dev,
    headers: createPageHeaders({ hsts: mayUseHsts(config), dev }),
  })
}

function scheduleCertificateRenewal(
  config: Config,
  listener: Listener,
  initial: Certificate,
  log: Logger,
): NodeJS.Timeout {
  let current = initial
  const renew = async (): Promise<void> => {
    const next = await certificateFor(config)
    if (next.cert === current.cert) return
    listener.renewCertificate(next)
    current = next
    log.info('the certificate was renewed')
  }
  const tryRenew = (): void => {
    renew().catch((error: unknown) =>
      log.error({ error }, 'the certificate could not be renewed; the old one stays'),
    )
  }
  return setInterval(tryRenew, RENEW_INTERVAL_MS).unref()
}
