/** Serves the server's own figures, one a request, after the wait that the seed decides: for /lab/dashboard in plain requests. */
import { z } from '@hono/zod-openapi'
import { CHART_COUNT, MAX_SEED } from '../../lib/protocol/lab.ts'
import { apiStrings } from '../../lib/strings/api.ts'
import { ApiError } from './api-errors.ts'
import { type Api, type ApiDependencies, createAdmittedRoute, jsonResponse } from './api-routing.ts'

/** Has the shape of `Figure` in lib/protocol/lab.ts. */
const figureSchema = z
  .object({
    chart: z.int(),
    name: z.string(),
    unit: z.enum(['bytes', 'percent', 'per second', 'ms', 'count']),
    waitedMs: z.int().openapi({ description: 'What the seed had it wait, before it was answered.' }),
    everyMs: z.int().openapi({ description: 'Between two values.' }),
    values: z.array(z.number()).openapi({ description: 'Oldest first.' }),
  })
  .openapi('Figure')

const integerUpTo = (max: number) => z.coerce.number().int().min(0).max(max)

export function addLabRoutes(api: Api, { access, lab }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'get',
    path: '/api/lab/figures/{chart}',
    summary: 'One figure of this server, 1 to 5 s later: for /lab/dashboard.',
    request: {
      params: z.object({ chart: integerUpTo(CHART_COUNT - 1) }),
      query: z.object({ seed: integerUpTo(MAX_SEED) }),
    },
    responses: { 200: jsonResponse(figureSchema, 'Its last six seconds.') },
  })
  api.openapi(route, async (context) => {
    if (!lab) throw new ApiError('not-found', apiStrings.lab.off)
    const { chart } = context.req.valid('param')
    const { seed } = context.req.valid('query')
    const measuredFigure = await lab.requestFigure(
      { chart, seed },
      context.get('principal'),
      context.req.raw.signal,
    )
    return context.json({ ...measuredFigure, values: [...measuredFigure.values] }, 200)
  })
}
