/** Records spans with OpenTelemetry, and sends them to a collector by OTLP over HTTP. Loaded only if a collector is set. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { hostname } from 'node:os'
import {
  type Context,
  diag,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import { version } from '../version.ts'
import type { Tracing } from './tracing.ts'

/** @param endpoint The collector's address without a path, or the path above `/v1/traces`. */
export function createOtlpTracing(endpoint: string, log: Logger): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'diptych',
      'service.version': version,
      'host.name': hostname(),
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const report = (problem: string): void => log.debug({ problem }, 'traces were not sent')
  const ignore = (): void => {}
  diag.setLogger({ error: report, warn: report, info: ignore, debug: ignore, verbose: ignore })
  const tracer = provider.getTracer('diptych')
  const active = new AsyncLocalStorage<Context>()
  const activeContext = (): Context => active.getStore() ?? ROOT_CONTEXT

  return {
    span(name, attributes, work) {
      const parent = activeContext()
      const kind = parent === ROOT_CONTEXT ? SpanKind.SERVER : SpanKind.INTERNAL
      const span = tracer.startSpan(name, { attributes, kind }, parent)
      try {
        const answer = active.run(trace.setSpan(parent, span), () =>
          work({ set: (more) => void span.setAttributes(more) }),
        )
        if (answer instanceof Promise) endWith(span, answer)
        else span.end()
        return answer
      } catch (error) {
        endFailed(span, error)
        throw error
      }
    },
    detached: (work) => active.run(ROOT_CONTEXT, work),
    bind() {
      const context = activeContext()
      return (work) => active.run(context, work)
    },
    async close() {
      await provider.shutdown().catch(ignore)
    },
  }
}

function endWith(span: OtelSpan, answer: Promise<unknown>): void {
  answer.then(
    () => span.end(),
    (error: unknown) => endFailed(span, error),
  )
}

/** Leaves out the message, which may quote what somebody wrote. */
function endFailed(span: OtelSpan, error: unknown): void {
  span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}
