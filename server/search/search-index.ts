/**
 * What finds documents by their words: which have all of them, among those that somebody may read. The same on both databases but for the
 * index itself (`SearchDialect`). Of two writers of a document the one with the newer text wins, so any number may write.
 */
import { type Kysely, type RawBuilder, type Transaction, sql } from 'kysely'
import type { SearchTerms } from '../../lib/search/search-query.ts'
import { tokensOf } from '../../lib/search/search-tokens.ts'
import { lettersOfTerm, type Passage, type IndexableText } from '../../lib/search/passage.ts'
import type { Principal } from '../access/principal.ts'
import { listFilters } from '../api/document-list.ts'
import { isRestorable } from '../retention/remove-document.ts'
import { documentsInFolder, favouriteDocuments, readableDocuments } from './readable-documents.ts'
import { INDEX_VERSION, isStale, type SearchDatabase } from './search-tables.ts'

export interface IndexedText extends IndexableText {
  readonly document: string
  /** The last log entries that the text has. */
  readonly bodySequence: number
  readonly commentsSequence: number
}

export const searchSorts = ['best', 'edited'] as const
export type SearchSort = (typeof searchSorts)[number]

export const searchFilters = [...listFilters, 'favourites'] as const

export interface SearchPage {
  readonly filter: (typeof searchFilters)[number]
  /** Only what the person has placed in this folder, or in one within it. */
  readonly folder?: string | undefined
  /** Only what was edited since, in ms since 1970. */
  readonly editedSince?: number | undefined
  readonly sort: SearchSort
  readonly offset: number
  readonly limit: number
}

export interface FoundDocument {
  readonly document: string
  readonly title: string
  /** `Principal.id`. */
  readonly owner: string
  /** In ms since 1970. */
  readonly updatedAt: number
  /** The passage that has the most of the tokens; null for a document without text. */
  readonly passage: string | null
  /** In how many passages that one was looked for. */
  readonly lookedAt: number
}

/** A document whose text leads to another one. */
export type LinkingDocument = Omit<FoundDocument, 'passage' | 'lookedAt'> & { readonly preview: string }

export interface StalePage {
  readonly documents: readonly string[]
  /** Where the next page begins; null after the last. */
  readonly next: string | null
}

export interface SearchIndex {
  find(principal: Principal, terms: SearchTerms, page: SearchPage): Promise<FoundDocument[]>
  /** The beginnings of these texts, by id; none for a document that is not indexed yet. It does not look who may read them. */
  previewsOf(documents: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Which of the documents that the person may read lead to this one, those edited last first. */
  findLinking(
    principal: Principal,
    target: string,
    page: Pick<SearchPage, 'offset' | 'limit'>,
  ): Promise<LinkingDocument[]>
  /**
   * Leaves a newer text as it is, and writes none of a document that is gone.
   * @returns false where part of what is stored is older and part is newer: the document has to be read again.
   */
  write(text: IndexedText): Promise<boolean>
  remove(document: string): Promise<void>
  /** Removes what is left of documents that are gone. Returns how many. */
  removeGone(): Promise<number>
  /** `Principal.id`; '' for a document that is gone, null for a proposal, which is not searched. */
  ownerOf(document: string): Promise<string | null>
  /** Looks through some documents for those that have changed. @param after '' begins. */
  findStale(after: string): Promise<StalePage>
  clear(): Promise<void>
  close(): Promise<void>
}

/** The index of tokens of one database. */
export interface SearchDialect {
  /** Replaces those of a row of `search_texts`. */
  writeTokens(db: Transaction<SearchDatabase>, id: number, passages: readonly Passage[]): Promise<void>
  /** Documents with all terms: their rows, joined with `search_texts`. */
  matching(terms: SearchTerms): SearchMatching
  /** The position of a text in another one, from 1; 0 where it is not there. */
  position(text: RawBuilder<string>, part: string): RawBuilder<number>
}

export interface SearchMatching {
  readonly from: RawBuilder<unknown>
  readonly where: RawBuilder<boolean>
  /** The lower, the better. */
  readonly rank: RawBuilder<number>
  /** What the index of tokens leaves open of a row of `candidates`; null where it leaves nothing open. */
  readonly verified: RawBuilder<boolean> | null
}

/** How many documents one query looks through for changes, and how many passages one statement writes. */
const DOCUMENTS_PER_QUERY = 200
const PASSAGES_PER_INSERT = 100
/** In how many passages candidates are verified, the best first: so many are 200 million characters. */
export const MAX_PASSAGES_VERIFIED = 100_000
/** In how many passages the one that is shown is looked for, those of all results together, and by how many of the terms. */
const MAX_PASSAGES_LOOKED_AT = 2_048
export const MAX_CHOOSING_TERMS = 8

/** How many of the terms a text of tokens has. */
export function countHeld(
  { position }: Pick<SearchDialect, 'position'>,
  tokens: RawBuilder<string>,
  terms: SearchTerms,
): RawBuilder<number> {
  const held = terms.map(
    (term) => sql`case when ${position(tokens, lettersOfTerm(term))} > 0 then 1 else 0 end`,
  )
  return sql<number>`(${sql.join(held, sql` + `)})`
}

/** Rights and what is asked for are part of the query, so that a page is full. */
function conditionsOf(
  db: Kysely<SearchDatabase>,
  principal: Principal,
  { filter, folder, editedSince }: SearchPage,
): RawBuilder<boolean>[] {
  const isAmong = (documents: RawBuilder<string>) => sql<boolean>`search_texts.document in (${documents})`
  const isFavourites = filter === 'favourites'
  return [
    isAmong(readableDocuments(db, principal, isFavourites ? 'all' : filter)),
    ...(isFavourites ? [isAmong(favouriteDocuments(principal))] : []),
    ...(folder === undefined ? [] : [isAmong(documentsInFolder(principal, folder))]),
    ...(editedSince === undefined ? [] : [sql<boolean>`documents.updated_at >= ${editedSince}`]),
  ]
}

/** Verifies candidates until enough are found, and no more passages of them than the limit. */
const verifiedAmong = (
  candidates: RawBuilder<unknown>,
  verified: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select * from (
    select *, sum((select max(passage) + 1 from search_passages where text_id = candidates.id))
      over (order by ${order} rows unbounded preceding) as passages
    from (${candidates}) as candidates
  ) as candidates where passages <= ${MAX_PASSAGES_VERIFIED} and ${verified}`

export class SqlSearchIndex implements SearchIndex {
  readonly #db: Kysely<SearchDatabase>
  readonly #dialect: SearchDialect
  readonly close: () => Promise<void>

  constructor(db: Kysely<SearchDatabase>, dialect: SearchDialect, close: () => Promise<void>) {
    this.#db = db
    this.#dialect = dialect
    this.close = close
  }

  async find(principal: Principal, terms: SearchTerms, page: SearchPage): Promise<FoundDocument[]> {
    const { from, where, rank, verified } = this.#dialect.matching(terms)
    const score = page.sort === 'best' ? rank : sql<number>`0`
    const order = sql`score, "updatedAt" desc, document`
    const candidates = sql`
      select search_texts.id, documents.id as document, documents.title, documents.owner, documents.updated_at as "updatedAt", ${score} as score
      from ${from} where ${where} and ${sql.join(conditionsOf(this.#db, principal, page), sql` and `)}`
    const found = verified ? verifiedAmong(candidates, verified, order) : candidates
    const { rows } = await sql<Omit<FoundDocument, 'passage' | 'lookedAt'> & { id: number }>`
      select id, document, title, owner, "updatedAt" from (${found}) as found
      order by ${order} limit ${page.limit} offset ${page.offset}
    `.execute(this.#db)
    const passages = await this.#passagesOf(
      rows.map(({ id }) => id),
      terms,
    )
    return rows.map(({ id, ...row }) => ({ ...row, ...(passages.get(id) ?? { passage: null, lookedAt: 0 }) }))
  }

  async #passagesOf(
    ids: readonly number[],
    terms: SearchTerms,
  ): Promise<Map<number, Pick<FoundDocument, 'passage' | 'lookedAt'>>> {
    if (ids.length === 0) return new Map()
    const lastPassage = Math.floor(MAX_PASSAGES_LOOKED_AT / ids.length)
    const held = countHeld(this.#dialect, sql`tokens`, terms.slice(0, MAX_CHOOSING_TERMS))
    const { rows } = await sql<{ id: number; text: string; count: number }>`
      select search_passages.text_id as id, text, count from (
        select text_id, passage, count(*) over (partition by text_id) as count, row_number() over (partition by text_id order by ${held} desc, passage) as place
        from search_passages where text_id in (${sql.join(ids)}) and passage between 1 and ${lastPassage}
      ) as ranked join search_passages using (text_id, passage) where place = 1
    `.execute(this.#db)
    return new Map(rows.map(({ id, text, count }) => [id, { passage: text, lookedAt: count }]))
  }

  async previewsOf(documents: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (documents.length === 0) return new Map()
    const rows = await this.#db
      .selectFrom('search_previews')
      .innerJoin('search_texts', 'search_texts.id', 'search_previews.text_id')
      .select(['search_texts.document', 'search_previews.preview'])
      .where('search_texts.document', 'in', documents)
      .execute()
    return new Map(rows.map(({ document, preview }) => [document, preview]))
  }

  async findLinking(
    principal: Principal,
    target: string,
    { offset, limit }: Pick<SearchPage, 'offset' | 'limit'>,
  ): Promise<LinkingDocument[]> {
    const { rows } = await sql<LinkingDocument>`
      select documents.id as document, documents.title, documents.owner, documents.updated_at as "updatedAt", coalesce(preview, '') as preview
      from search_links join search_texts on search_texts.id = search_links.text_id
        join documents on documents.id = search_texts.document
        left join search_previews on search_previews.text_id = search_texts.id
      where search_links.target = ${target} and search_texts.document <> ${target}
        and search_texts.document in (${readableDocuments(this.#db, principal, 'all')})
      order by documents.updated_at desc, documents.id limit ${limit} offset ${offset}
    `.execute(this.#db)
    return rows
  }

  write({
    document,
    title,
    passages,
    preview,
    links,
    bodySequence,
    commentsSequence,
  }: IndexedText): Promise<boolean> {
    const titled = [titlePassage(title), ...passages]
    return this.#db.transaction().execute(async (db) => {
      const { rows } = await sql<{ id: number }>`
        insert into search_texts (document, version, body_sequence, comments_sequence)
        select documents.id, ${int(INDEX_VERSION)}, ${int(bodySequence)}, ${int(commentsSequence)}
        from documents where documents.id = ${document} and ${isSearched}
        on conflict (document) do update set version = excluded.version, body_sequence = excluded.body_sequence,
          comments_sequence = excluded.comments_sequence
        where search_texts.version < excluded.version or (search_texts.version = excluded.version
          and search_texts.body_sequence <= excluded.body_sequence
          and search_texts.comments_sequence <= excluded.comments_sequence)
        returning id
      `.execute(db)
      const id = rows[0]?.id
      if (id === undefined) return !(await this.#isOlder(db, document, bodySequence, commentsSequence))
      await this.#dialect.writeTokens(db, id, titled)
      await db.deleteFrom('search_passages').where('text_id', '=', id).execute()
      for (let at = 0; at < titled.length; at += PASSAGES_PER_INSERT) {
        const some = titled.slice(at, at + PASSAGES_PER_INSERT)
        const values = some.map(({ text, tokens }, index) => ({
          text_id: id,
          passage: at + index,
          text,
          tokens,
        }))
        await db.insertInto('search_passages').values(values).execute()
      }
      await db.deleteFrom('search_previews').where('text_id', '=', id).execute()
      await db.insertInto('search_previews').values({ text_id: id, preview }).execute()
      await db.deleteFrom('search_links').where('text_id', '=', id).execute()
      const targets = links.map((target) => ({ text_id: id, target }))
      if (targets.length > 0) await db.insertInto('search_links').values(targets).execute()
      return true
    })
  }

  async #isOlder(
    db: Transaction<SearchDatabase>,
    document: string,
    bodySequence: number,
    commentsSequence: number,
  ): Promise<boolean> {
    const row = await db
      .selectFrom('search_texts')
      .select(['version', 'body_sequence', 'comments_sequence'])
      .where('document', '=', document)
      .executeTakeFirst()
    if (!row || row.version > INDEX_VERSION) return false
    return row.body_sequence < bodySequence || row.comments_sequence < commentsSequence
  }

  async remove(document: string): Promise<void> {
    await this.#db.deleteFrom('search_texts').where('document', '=', document).execute()
  }

  async removeGone(): Promise<number> {
    const { numAffectedRows } = await sql`
      delete from search_texts where not exists (
        select 1 from documents where documents.id = search_texts.document and ${isSearched})
    `.execute(this.#db)
    return Number(numAffectedRows)
  }

  async ownerOf(document: string): Promise<string | null> {
    const rows = this.#db.selectFrom('documents').select(['owner', 'original']).where('id', '=', document)
    const row = await rows.executeTakeFirst()
    return row && row.original !== null ? null : (row?.owner ?? '')
  }

  async findStale(after: string): Promise<StalePage> {
    const { rows } = await sql<{ id: string; stale: number }>`
      select documents.id, case when ${isStale} then 1 else 0 end as stale
      from documents left join search_texts on search_texts.document = documents.id
      where documents.id > ${after} and ${isSearched} order by documents.id limit ${DOCUMENTS_PER_QUERY}
    `.execute(this.#db)
    const documents = rows.filter(({ stale }) => stale === 1).map(({ id }) => id)
    return { documents, next: rows.length === DOCUMENTS_PER_QUERY ? rows.at(-1)!.id : null }
  }

  async clear(): Promise<void> {
    await this.#db.deleteFrom('search_texts').execute()
  }
}

/** A proposal is not: its original is found. */
const isSearched = sql<boolean>`(${isRestorable} and documents.original is null)`

/** PostgreSQL does not see of which type a parameter is that is selected. */
const int = (value: number): RawBuilder<number> => sql<number>`cast(${value} as bigint)`

const titlePassage = (title: string): Passage => ({
  text: title,
  tokens: ` ${[...tokensOf(title)].map(({ text }) => text).join(' ')} `,
})
