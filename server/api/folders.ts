/** A person's folders as rows. One transaction changes them at a time, so that no two make a circle. They give nobody a right. */
import { type Kysely, sql, type Transaction } from 'kysely'
import { randomId } from '../../lib/protocol/ids.ts'
import {
  type Folder,
  folderHeight,
  folderPath,
  isFolderWithin,
  MAX_FOLDER_DEPTH,
  MAX_FOLDERS,
} from '../../lib/protocol/folder-tree.ts'
import { apiStrings } from '../../lib/strings/api.ts'
import type { Principal } from '../access/principal.ts'
import type { Database } from '../store/schema.ts'
import { OrderRefused } from './order-refused.ts'

export interface FolderChange {
  readonly name?: string | undefined
  readonly parent?: string | null | undefined
}

/** Of a placement that says no more than when the document was opened. */
export const isUnplaced = sql<boolean>`
  folder is null and former_folder is null and favourite_at is null and template_at is null`

type Owner = Pick<Principal, 'id'>

/** Changes of one person's order take turns, on all nodes. */
export const changeOrder = <T>(
  db: Kysely<Database>,
  { id: owner }: Owner,
  change: (transaction: Transaction<Database>) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async (transaction) => {
    await sql`
      insert into folder_trees (owner, revision) values (${owner}, 1)
      on conflict (owner) do update set revision = folder_trees.revision + 1
    `.execute(transaction)
    return change(transaction)
  })

export const listFolders = (db: Kysely<Database>, { id }: Owner): Promise<Folder[]> =>
  db
    .selectFrom('folders')
    .select(['id', 'parent', 'name'])
    .where('owner', '=', id)
    .where('deleted_at', 'is', null)
    .execute()

const readTree = async (db: Kysely<Database>, owner: Owner): Promise<Map<string, Folder>> =>
  new Map((await listFolders(db, owner)).map((folder) => [folder.id, folder]))

export const createFolder = (
  db: Kysely<Database>,
  owner: Owner,
  { name, parent = null }: FolderChange & Pick<Folder, 'name'>,
): Promise<Folder> =>
  changeOrder(db, owner, async (transaction) => {
    const folders = await readTree(transaction, owner)
    if (folders.size >= MAX_FOLDERS) throw new OrderRefused('full', apiStrings.folder.tooMany(MAX_FOLDERS))
    const folder = { id: randomId(), parent, name }
    requireFit(folders, folder)
    await transaction
      .insertInto('folders')
      .values({ ...folder, owner: owner.id })
      .execute()
    return folder
  })

export const changeFolder = (
  db: Kysely<Database>,
  owner: Owner,
  id: string,
  change: FolderChange,
): Promise<Folder> =>
  changeOrder(db, owner, async (transaction) => {
    const folders = await readTree(transaction, owner)
    const folder = folders.get(id)
    if (!folder) throw missingFolder()
    const { name = folder.name, parent = folder.parent } = change
    const changed = { id, name, parent }
    if (parent !== folder.parent) requireFit(folders, changed)
    await transaction
      .updateTable('folders')
      .set({ name, parent, ...(parent !== folder.parent && { former_parent: null }) })
      .where('id', '=', id)
      .execute()
    return changed
  })

/** What is in it goes one level up. It can be restored until the next one is deleted. @returns How many documents went. */
export const deleteFolder = (db: Kysely<Database>, owner: Owner, id: string, now: number): Promise<number> =>
  changeOrder(db, owner, async (transaction) => {
    const folder = (await readTree(transaction, owner)).get(id)
    if (!folder) throw missingFolder()
    await forgetDeletedFolders(transaction, owner)
    await foldersOf(transaction, owner)
      .set({ parent: folder.parent, former_parent: id })
      .where('parent', '=', id)
      .execute()
    const { numUpdatedRows } = await placementsOf(transaction, owner)
      .set({ folder: folder.parent, former_folder: id })
      .where('folder', '=', id)
      .executeTakeFirst()
    await foldersOf(transaction, owner).set({ deleted_at: now }).where('id', '=', id).execute()
    return Number(numUpdatedRows)
  })

/** What was in it and has not been moved since is in it again: `moved` says how many documents. */
export const restoreFolder = (
  db: Kysely<Database>,
  owner: Owner,
  id: string,
): Promise<{ readonly folder: Folder; readonly moved: number }> =>
  changeOrder(db, owner, async (transaction) => {
    const folder = await transaction
      .selectFrom('folders')
      .select(['id', 'parent', 'name'])
      .where('id', '=', id)
      .where('owner', '=', owner.id)
      .where('deleted_at', 'is not', null)
      .executeTakeFirst()
    if (!folder) throw missingFolder()
    await foldersOf(transaction, owner).set({ deleted_at: null }).where('id', '=', id).execute()
    await foldersOf(transaction, owner)
      .set({ parent: id, former_parent: null })
      .where('former_parent', '=', id)
      .execute()
    const { numUpdatedRows } = await placementsOf(transaction, owner)
      .set({ folder: id, former_folder: null })
      .where('former_folder', '=', id)
      .executeTakeFirst()
    const folders = await readTree(transaction, owner)
    if (folders.size > MAX_FOLDERS) throw new OrderRefused('full', apiStrings.folder.tooMany(MAX_FOLDERS))
    requireFit(folders, folder)
    return { folder, moved: Number(numUpdatedRows) }
  })

async function forgetDeletedFolders(db: Transaction<Database>, owner: Owner): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('folders')
    .where('owner', '=', owner.id)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return
  await foldersOf(db, owner).set({ former_parent: null }).where('former_parent', 'is not', null).execute()
  await placementsOf(db, owner).set({ former_folder: null }).where('former_folder', 'is not', null).execute()
  await db
    .deleteFrom('placements')
    .where('principal', '=', owner.id)
    .where('opened_at', 'is', null)
    .where(isUnplaced)
    .execute()
}

const foldersOf = (db: Transaction<Database>, { id }: Owner) =>
  db.updateTable('folders').where('owner', '=', id)

const placementsOf = (db: Transaction<Database>, { id }: Owner) =>
  db.updateTable('placements').where('principal', '=', id)

/** @throws {OrderRefused} where the folder's parent is missing or is in it, or the tree would be too deep. */
function requireFit(folders: ReadonlyMap<string, Folder>, { id, parent }: Folder): void {
  if (parent !== null && !folders.has(parent)) throw missingFolder()
  if (isFolderWithin(folders, parent, id)) throw new OrderRefused('conflict', apiStrings.folder.intoItself)
  const height = folders.has(id) ? folderHeight(folders, id) : 1
  if (folderPath(folders, parent).length + height > MAX_FOLDER_DEPTH)
    throw new OrderRefused('full', apiStrings.folder.tooDeep(MAX_FOLDER_DEPTH))
}

export const missingFolder = () => new OrderRefused('not-found', apiStrings.folder.missing)
