/** Answers GET /metrics for those who may read it. */
import type { Logger } from 'pino'
import { apiStrings } from '../../lib/strings/api.ts'
import { answerError, answerText, pathOf } from '../http-answers.ts'
import type { MetricsReaders } from '../settings.ts'
import type { RequestHandler } from '../gateways/gateway.ts'
import { isFromThisComputer } from '../https-redirect.ts'
import type { MetricsSource } from './metrics-registry.ts'

const METRICS_PATH = '/metrics'

export function createMetricsHandler(
  source: MetricsSource,
  readers: MetricsReaders,
  log: Logger,
): RequestHandler {
  // Loaded with the first request, so that a server without such requests never loads the library.
  let loadedRegistry: Promise<{ contentType: string; metrics(): Promise<string> }> | undefined
  const loadRegistry = () =>
    (loadedRegistry ??= import('./metrics-registry.ts').then(({ createMetricsRegistry }) =>
      createMetricsRegistry(source),
    ))

  return {
    handleRequest(request, response, secure) {
      if (pathOf(request) !== METRICS_PATH || readers === 'off') return false
      // A proxy on this computer is a local peer, too, and may forward any host name; but it connects to the TLS port.
      if (readers === 'loopback' && (secure || !isFromThisComputer(request))) return false
      if (request.method !== 'GET') {
        answerError(response, 405, 'method', apiStrings.metrics.method)
        return true
      }
      loadRegistry()
        .then(async (metricsRegistry) =>
          answerText(response, metricsRegistry.contentType, await metricsRegistry.metrics()),
        )
        .catch((error: unknown) => {
          log.error({ err: error }, 'the metrics could not be read')
          answerError(response, 500, 'internal', apiStrings.metrics.failed)
        })
      return true
    },
  }
}
