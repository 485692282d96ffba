/** One of the server's own figures, after the wait that its seed decides: what /lab/dashboard asks for by plain requests. */
import { createRoute, z } from '@hono/zod-openapi'
import { CHART_COUNT, MAX_SEED } from '../../lib/protocol/lab.ts'
import { strings } from '../../lib/strings/api.ts'
import { ApiError } from './errors.ts'
import { admitted, answer, type Api, type ApiParts, failure } from './routes.ts'
import { figure } from './schemas.ts'

const wholeUpTo = (most: number) => z.coerce.number().int().min(0).max(most)

export function addLabRoutes(api: Api, { access, lab }: ApiParts): void {
  const route = createRoute({
    method: 'get',
    path: '/api/lab/figures/{chart}',
    summary: 'One figure of this server, 1 to 5 s later: for /lab/dashboard.',
    middleware: admitted(access),
    request: {
      params: z.object({ chart: wholeUpTo(CHART_COUNT - 1) }),
      query: z.object({ seed: wholeUpTo(MAX_SEED) }),
    },
    responses: { 200: answer(figure, 'Its last six seconds.'), ...failure },
  })
  api.openapi(route, async (context) => {
    if (!lab) throw new ApiError('not-found', strings.lab.off)
    const { chart } = context.req.valid('param')
    const { seed } = context.req.valid('query')
    const told = await lab.figure({ chart, seed }, context.get('principal'), context.req.raw.signal)
    return context.json({ ...told, values: [...told.values] }, 200)
  })
}
