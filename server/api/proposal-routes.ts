/** Serves the proposals to change a document: who reads it sees them, and who may write in it decides. */
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { proposalRefusalsStrings } from '../../lib/strings/proposal-refusals.ts'
import type { Principal, Role } from '../access/principal.ts'
import { apiUnits } from '../metering/prices.ts'
import { ProposalAcceptance } from '../proposals/accept-proposal.ts'
import { createProposal } from '../proposals/create-proposal.ts'
import { mayPropose, toDecisionBodies, toProposalBodies } from '../proposals/proposal-fields.ts'
import {
  changeProposalState,
  findProposal,
  listDecisions,
  listProposals,
  MAX_DECISIONS,
  purgeProposal,
  type ProposalRow,
  type ProposalState,
  refuseTooManyOpen,
  storeDecisions,
} from '../proposals/proposal-rows.ts'
import type { StoredProposalState } from '../store/schema.ts'
import { ApiError, notFoundError } from './api-errors.ts'
import {
  type Api,
  type ApiDependencies,
  type ApiEnv,
  apiErrorOfRefusal,
  chargeWork,
  createAdmittedRoute,
  jsonContent,
  jsonResponse,
  requireRole,
  takeWork,
} from './api-routing.ts'
import {
  acceptanceSchema,
  newDecisionsSchema,
  newProposalSchema,
  notedDecisionsSchema,
  proposalListSchema,
  proposalQuerySchema,
  proposalSchema,
  proposalWithDecisionsSchema,
  writeProposalCursor,
} from './api-schemas.ts'
import { storedFileBytes, storedTextBytes } from './copy-document.ts'
import { type DocumentTableRow, findDocument } from './document-rows.ts'
import { readListPage } from './list-page.ts'

const path = '/api/documents/{id}/proposals'
const params = z.object({ id: z.string() })
const proposalParams = params.extend({ proposal: z.string() })

export function addProposalRoutes(api: Api, dependencies: ApiDependencies): void {
  addCreateRoute(api, dependencies)
  addListRoute(api, dependencies)
  addGetRoute(api, dependencies)
  addDeleteRoute(api, dependencies)
  addDecisionsRoute(api, dependencies)
  addAcceptRoute(api, dependencies)
  addStateRoute(api, dependencies, {
    action: 'reject',
    summary: 'Reject a proposal: the document stays as it is. Needs the role editor or owner.',
    from: ['open'],
    to: 'rejected',
  })
  addStateRoute(api, dependencies, {
    action: 'withdraw',
    summary: 'Withdraw a proposal of mine, also of a document that I have lost.',
    from: ['open'],
    to: 'withdrawn',
  })
  addStateRoute(api, dependencies, {
    action: 'reopen',
    summary:
      'Open a proposal again: a rejected one needs the role editor or owner, a withdrawn one is its author’s.',
    from: ['rejected', 'withdrawn'],
    to: 'open',
  })
}

function addCreateRoute(api: Api, dependencies: ApiDependencies): void {
  const { access, db, storage, log } = dependencies
  const route = createAdmittedRoute(access, {
    method: 'post',
    path,
    summary:
      'Propose changes: makes a document that begins with the text and the files of this one, to write in. Needs the role editor or owner, or any where the owner lets viewers propose.',
    request: { params, body: { content: jsonContent(newProposalSchema), required: true } },
    responses: { 201: jsonResponse(proposalSchema, 'Made.') },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    const { title } = context.req.valid('json')
    const principal = context.get('principal')
    const role = await requireRole(access, context, id, 'read')
    const original = await findDocument(db, id)
    if (!original) throw notFoundError()
    refuseProposer(original, role, principal)
    const bytes = await storedTextBytes(db, id)
    takeRecheck(dependencies, context, id)
    takeWork(context, apiUnits.copy(bytes))
    const refusal = access.rateLimits.takeNewDocument(context.env.accessRequest, principal, bytes)
    if (refusal) throw apiErrorOfRefusal(refusal)
    // The text is stored twice: as it began, and as it is.
    const allBytes = 2 * bytes + (await storedFileBytes(db, id))
    const create = () => createProposal(dependencies, original, principal, title)
    const proposal = await storage.store(principal.id, allBytes, create)
    log.info({ document: id, proposal, by: principal.id }, 'changes proposed')
    access.notifyChanged(id)
    return context.json(await loadBody(dependencies, context, id, proposal, role), 201)
  })
}

function refuseProposer(original: DocumentTableRow, role: Role, principal: Principal): void {
  if (original.original !== null) throw new ApiError('conflict', proposalRefusalsStrings.ofProposal)
  if (principal.token !== undefined) throw new ApiError('forbidden', proposalRefusalsStrings.noneByToken)
  if (!mayPropose(original, role, principal))
    throw new ApiError('forbidden', proposalRefusalsStrings.editorsOnly)
}

function addListRoute(api: Api, { access, db }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'get',
    path,
    summary: 'The proposals to change a document, the latest first.',
    request: { params, query: proposalQuerySchema },
    responses: {
      200: jsonResponse(proposalListSchema, 'Those in the state, or all, without their texts.'),
    },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    const { state, limit, cursor: after } = context.req.valid('query')
    const role = await requireRole(access, context, id, 'read')
    const { shown, next } = await readListPage(
      limit,
      (rows) => listProposals(db, id, { state, limit: rows, after }),
      ({ created_at: createdAt, id: proposal }) => writeProposalCursor({ createdAt, id: proposal }),
    )
    chargeWork(context, apiUnits.rows(shown.length))
    return context.json(
      { proposals: await toProposalBodies(db, shown, role, context.get('principal')), next },
      200,
    )
  })
}

function addGetRoute(api: Api, dependencies: ApiDependencies): void {
  const { access, db } = dependencies
  const route = createAdmittedRoute(access, {
    method: 'get',
    path: `${path}/{proposal}`,
    summary: 'A proposal, with what was decided about single changes.',
    request: { params: proposalParams },
    responses: { 200: jsonResponse(proposalWithDecisionsSchema, 'Without its text.') },
  })
  api.openapi(route, async (context) => {
    const { id, proposal } = context.req.valid('param')
    const role = await requireRole(access, context, id, 'read')
    const body = await loadBody(dependencies, context, id, proposal, role)
    const decisions = await listDecisions(db, proposal)
    chargeWork(context, apiUnits.rows(decisions.size))
    return context.json({ ...body, decisions: await toDecisionBodies(db, decisions) }, 200)
  })
}

function addDeleteRoute(api: Api, dependencies: ApiDependencies): void {
  const { access, db, log } = dependencies
  const route = createAdmittedRoute(access, {
    method: 'delete',
    path: `${path}/{proposal}`,
    summary:
      'Delete a closed proposal for good. It needs its author, who may have lost the document, or the role owner.',
    request: { params: proposalParams },
    responses: { 204: { description: 'Deleted.' } },
  })
  api.openapi(route, async (context) => {
    const { id, proposal } = context.req.valid('param')
    const { id: by } = context.get('principal')
    const { author } = await requireReadable(dependencies, context, id, proposal)
    if (author !== by) await requireRole(access, context, id, 'delete')
    takeRecheck(dependencies, context, id)
    if (!(await purgeProposal(db, proposal)))
      throw new ApiError('conflict', proposalRefusalsStrings.changed.open)
    log.info({ document: id, proposal, by }, 'proposal deleted')
    access.notifyChanged(proposal)
    access.notifyChanged(id)
    return context.body(null, 204)
  })
}

function addDecisionsRoute(api: Api, dependencies: ApiDependencies): void {
  const { access, db } = dependencies
  const route = createAdmittedRoute(access, {
    method: 'patch',
    path: `${path}/{proposal}/decisions`,
    summary:
      'Note what was decided about single changes of an open proposal. It changes no text. Needs the role editor or owner.',
    request: {
      params: proposalParams,
      body: { content: jsonContent(newDecisionsSchema), required: true },
    },
    responses: { 200: jsonResponse(notedDecisionsSchema, 'Noted.') },
  })
  api.openapi(route, async (context) => {
    const { id, proposal } = context.req.valid('param')
    const { id: by } = context.get('principal')
    const { keys, decision, of = by } = context.req.valid('json')
    await requireRole(access, context, id, 'write')
    const { state } = await requireProposal(dependencies, id, proposal)
    if (state !== 'open') throw new ApiError('conflict', proposalRefusalsStrings.changed[state])
    takeRecheck(dependencies, context, id)
    takeWork(context, apiUnits.decisions(keys.length))
    const request = { proposal, keys: new Set(keys), decision, by, of }
    const decided = await storeDecisions(db, request)
    if (decided === 'closed') throw new ApiError('conflict', proposalRefusalsStrings.decidedMeanwhile)
    if (decided === 'too-many')
      throw new ApiError('full', proposalRefusalsStrings.tooManyDecisions(MAX_DECISIONS))
    if (decided.length > 0) access.notifyChanged(id)
    return context.json({ decided: [...decided] }, 200)
  })
}

function addAcceptRoute(api: Api, dependencies: ApiDependencies): void {
  const { access, db, log } = dependencies
  const acceptance = new ProposalAcceptance(dependencies)
  const route = createAdmittedRoute(access, {
    method: 'post',
    path: `${path}/{proposal}/accept`,
    summary:
      'Accept a proposal: all that was written in it comes into the document, as its authors’, once the document as it is is kept as a version. Needs the role editor or owner.',
    request: { params: proposalParams, body: { content: jsonContent(acceptanceSchema) } },
    responses: { 200: jsonResponse(proposalSchema, 'As it is now.') },
  })
  api.openapi(route, async (context) => {
    const { id: original, proposal } = context.req.valid('param')
    const { byParts, seen } = context.req.valid('json')
    const principal = context.get('principal')
    const role = await requireRole(access, context, original, 'write')
    await requireProposal(dependencies, original, proposal)
    const bytes = await storedTextBytes(db, proposal)
    takeRecheck(dependencies, context, original)
    if (!byParts || seen) takeWork(context, apiUnits.serverEdit + apiUnits.copy(bytes))
    await acceptance.accept({ original, proposal, principal, byParts, seen })
    log.info({ document: original, proposal, by: principal.id, byParts }, 'proposal accepted')
    access.notifyChanged(original)
    return context.json(await loadBody(dependencies, context, original, proposal, role), 200)
  })
}

interface StateRoute {
  readonly action: 'reject' | 'withdraw' | 'reopen'
  readonly summary: string
  readonly from: readonly StoredProposalState[]
  readonly to: ProposalState
}

function addStateRoute(
  api: Api,
  dependencies: ApiDependencies,
  { action, summary, from, to }: StateRoute,
): void {
  const { access, db, log } = dependencies
  const route = createAdmittedRoute(access, {
    method: 'post',
    path: `${path}/{proposal}/${action}`,
    summary,
    request: { params: proposalParams },
    responses: { 200: jsonResponse(proposalSchema, 'As it is now.') },
  })
  api.openapi(route, async (context) => {
    const { id, proposal } = context.req.valid('param')
    const principal = context.get('principal')
    const { state, author, role } = await requireReadable(dependencies, context, id, proposal)
    // An author without access is out of the way of those who have it: opened again, it would ask for their time.
    if (role === null && action !== 'withdraw') throw notFoundError()
    const isOfAuthor = action === 'withdraw' || (action === 'reopen' && state === 'withdrawn')
    if (!isOfAuthor) await requireRole(access, context, id, 'write')
    else if (author !== principal.id) throw new ApiError('forbidden', proposalRefusalsStrings.authorOnly)
    takeRecheck(dependencies, context, id)
    if (action === 'reopen') await refuseTooManyOpen(db, id, author)
    const by = to === 'open' ? null : principal.id
    if (!from.includes(state) || !(await changeProposalState(db, proposal, { from: [state], to, by }))) {
      const { state: present } = await requireProposal(dependencies, id, proposal)
      throw new ApiError('conflict', proposalRefusalsStrings.changed[present])
    }
    log.info({ document: id, proposal, by: principal.id, action }, 'proposal changed')
    access.notifyChanged(id)
    return context.json(await loadBody(dependencies, context, id, proposal, role ?? 'viewer'), 200)
  })
}

/** Everybody in the document is told that its proposals have changed. */
const takeRecheck = ({ rooms }: ApiDependencies, context: Context<ApiEnv>, original: string): void =>
  takeWork(context, apiUnits.recheck(rooms.countMembers(original)))

async function requireProposal({ db }: ApiDependencies, original: string, id: string): Promise<ProposalRow> {
  const row = await findProposal(db, original, id)
  if (!row) throw new ApiError('not-found', proposalRefusalsStrings.missing)
  return row
}

/** Returns a proposal to whoever may read its original, and to its author, whose text and space it is. The role is null without access. */
async function requireReadable(
  dependencies: ApiDependencies,
  context: Context<ApiEnv>,
  original: string,
  id: string,
): Promise<ProposalRow & { readonly role: Role | null }> {
  const { access, db } = dependencies
  const principal = context.get('principal')
  const own = await findProposal(db, original, id)
  if (own?.author === principal.id) return { ...own, role: await access.roleOf(principal, original) }
  const role = await requireRole(access, context, original, 'read')
  return { ...(await requireProposal(dependencies, original, id)), role }
}

async function loadBody(
  dependencies: ApiDependencies,
  context: Context<ApiEnv>,
  original: string,
  id: string,
  role: Role,
) {
  const row = await requireProposal(dependencies, original, id)
  const [body] = await toProposalBodies(dependencies.db, [row], role, context.get('principal'))
  return body!
}
