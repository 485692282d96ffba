/** Finds documents by the words of their titles and texts, for whoever may read them. */
import { BadQuery, readSearchQuery, type SearchTerms } from '../../lib/search/search-query.ts'
import { findTerms, firstLineOf, snippetOf } from '../../lib/search/search-marks.ts'
import { namesStrings } from '../../lib/strings/names.ts'
import { findPrincipalNames } from '../access/principal-names.ts'
import { apiUnits } from '../metering/prices.ts'
import { type FoundDocument, MAX_CHOOSING_TERMS, searchFilters, searchSorts } from '../search/search-index.ts'
import { ApiError } from './api-errors.ts'
import {
  type Api,
  type ApiDependencies,
  chargeWork,
  createAdmittedRoute,
  jsonResponse,
  takeWork,
} from './api-routing.ts'
import { folderIdSchema, MAX_FOUND, next, offset, personSchema } from './api-schemas.ts'
import { z } from '@hono/zod-openapi'

const searchQuerySchema = z.object({
  q: z.string().openapi({
    description: 'Words, and phrases in quotation marks. The last word may be the beginning of one.',
    example: 'budget plan',
  }),
  filter: z.enum(searchFilters).default('all'),
  folder: folderIdSchema
    .optional()
    .openapi({ description: 'Only what is in this folder of mine, or in one within it.' }),
  editedSince: z.iso
    .datetime()
    .transform((time) => Date.parse(time))
    .optional()
    .openapi({ type: 'string', format: 'date-time' }),
  sort: z.enum(searchSorts).default('best'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(50)
    .default(20)
    .openapi({ type: 'integer', minimum: 1, maximum: 50, default: 20 }),
  cursor: offset,
})

const marksSchema = z
  .array(z.object({ from: z.number(), to: z.number() }))
  .readonly()
  .openapi({ description: 'Where the words are, in UTF-16 units.' })

const searchResultsSchema = z.object({
  results: z.array(
    z.object({
      document: z.string(),
      title: z.string(),
      titleMarks: marksSchema,
      snippet: z.object({ text: z.string(), marks: marksSchema }),
      owner: personSchema,
      updatedAt: z.iso.datetime(),
    }),
  ),
  next,
})

export function addSearchRoutes(api: Api, { access, db, search }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'get',
    path: '/api/search',
    summary:
      'The documents whose titles, texts, comments and names of files have all words, of those I may read.',
    request: { query: searchQuerySchema },
    responses: {
      200: jsonResponse(searchResultsSchema, 'The best first, or those edited last.'),
    },
  })
  api.openapi(route, async (context) => {
    const { q, limit, cursor: offset, ...wanted } = context.req.valid('query')
    const terms = termsOf(q)
    takeWork(
      context,
      apiUnits.search(
        terms.reduce((sum, { tokens }) => sum + tokens.length, 0),
        limit,
      ),
    )
    const page = { ...wanted, offset, limit: limit + 1 }
    const rows = await search.find(context.get('principal'), terms, page, context.req.raw.signal)
    const passages = rows.reduce((sum, { lookedAt }) => sum + lookedAt, 0)
    chargeWork(context, apiUnits.searchedPassages(passages, Math.min(terms.length, MAX_CHOOSING_TERMS)))
    const shown = rows.slice(0, limit)
    const end = offset + limit
    const names = await findPrincipalNames(db, [...new Set(shown.map(({ owner }) => owner))])
    const results = shown.map((row) => ({
      ...resultOf(row, terms),
      owner: { id: row.owner, name: names.get(row.owner) ?? namesStrings.somebody },
    }))
    return context.json({ results, next: rows.length > limit && end < MAX_FOUND ? String(end) : null }, 200)
  })
}

function termsOf(query: string): SearchTerms {
  try {
    return readSearchQuery(query)
  } catch (error) {
    if (error instanceof BadQuery) throw new ApiError('bad-request', error.message)
    throw error
  }
}

function resultOf({ document, title, updatedAt, passage }: FoundDocument, terms: SearchTerms) {
  return {
    document,
    title,
    titleMarks: findTerms(title, terms).marks,
    snippet: snippetOf(passage ?? '', terms) ?? firstLineOf(passage ?? ''),
    updatedAt: new Date(updatedAt).toISOString(),
  }
}
