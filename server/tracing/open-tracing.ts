/** Loads what traces need, if a collector is set. */
import type { Logger } from 'pino'
import { type Config, SettingError } from '../config.ts'
import { noTracing, type Tracing } from './tracing.ts'

/** @throws {SettingError} if the library is not installed: it is an optional dependency. */
export async function openTracing(
  { tracesEndpoint }: Pick<Config, 'tracesEndpoint'>,
  log: Logger,
): Promise<Tracing> {
  if (tracesEndpoint === null) return noTracing
  try {
    const { createOtlpTracing } = await import('./otlp-tracing.ts')
    return createOtlpTracing(tracesEndpoint, log)
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    const problem =
      'but the packages @opentelemetry/… are not installed: `npm ci` without --omit=optional brings them.'
    throw new SettingError('OTEL_EXPORTER_OTLP_ENDPOINT', tracesEndpoint, problem, error)
  }
}
