import { plural } from './plural.ts'

/** The page that lists a person's documents, with its trash. */
export const documentsStrings = {
  skip: 'Skip to the documents',
  title: 'Documents',
  import: {
    button: 'Import…',
    words: 'markdown word html csv file upload open',
    drop: 'Drop files to import them',
  },
  search: {
    label: 'Search documents',
    placeholder: 'Search by title',
    found: (count: number) => `${plural(count, 'document')} found`,
    inTexts: (search: string) => `Search all texts for “${search}”`,
    foundSoFar: (count: number) => `${plural(count, 'document')} so far`,
  },
  filter: {
    label: 'Show',
    all: 'All',
    recent: 'Recent',
    favourites: 'Favourites',
    templates: 'Templates',
    owned: 'Owned by me',
    shared: 'Shared with me',
    trash: 'Trash',
  },
  sort: {
    label: 'Sort by',
    edited: 'Last edited',
    title: 'Title',
    created: 'Created',
  },
  layout: {
    label: 'View',
    list: 'List',
    cards: 'Cards',
  },
  headings: {
    title: 'Title',
    owner: 'Owner',
    edited: 'Last edited',
    created: 'Created',
  },
  row: {
    owner: 'Owner:',
    you: 'You',
    viewOnly: <Part>(owner: Part) => [owner, ' (view only)'] as const,
    edited: 'Edited',
    created: 'Created',
  },
  more: {
    failed: 'More documents could not be loaded.',
    show: 'Show more',
  },
  nothing: {
    all: 'No documents yet. Create one, or open a link that someone sent you.',
    recent: 'Documents that you open appear here, the latest first.',
    favourites: 'Nothing is a favourite yet. Press the star of a document, and it appears here.',
    templates: 'You have no templates of your own yet. Choose “Use as template” in the menu of a document.',
    owned: 'You do not own any documents yet. Create one, and it appears here.',
    shared:
      'Nothing is shared with you yet. Open a link that someone sent you, and the document appears here.',
    found: (search: string) => `No title contains “${search}”.`,
  },
  notFetched: (why: string) => `Your documents could not be loaded. ${why}`,
  device: {
    hint: <Part>(why: Part) =>
      [why, ' These documents are on this device: you can read them and go on writing.'] as const,
    copied: <Part>(time: Part) => ['Saved ', time] as const,
    onThisDevice: 'On this device',
    nothingHere: 'Nothing of this list is on this device.',
  },
  menu: {
    label: (title: string) => `More for ${title}`,
    rename: 'Rename…',
    duplicate: 'Duplicate',
    favourite: 'Add to favourites',
    notFavourite: 'Remove from favourites',
    template: 'Use as template',
    notTemplate: 'Stop using as template',
    moveToTrash: 'Move to trash',
    copyLink: 'Copy edit link',
  },
  copyLink: {
    done: 'The link is copied. Anyone with it can edit.',
    none: 'The link that you came by cannot be shown. Ask the owner for one.',
    failed: (why: string) => `The link was not copied. ${why}`,
  },
  renameDialog: {
    title: 'Rename document',
    label: 'Title',
    confirm: 'Rename',
    failed: (why: string) => `The document was not renamed. ${why}`,
  },
  duplicate: {
    done: (title: string) => `“${title}” was created.`,
    open: 'Open',
    failed: (why: string) => `No copy was made. ${why}`,
  },
  moveToTrash: {
    done: (title: string) => `“${title}” is in the trash.`,
    undo: 'Undo',
    failed: (why: string) => `The document was not moved to the trash. ${why}`,
  },
  restore: {
    done: (title: string) => `“${title}” is restored.`,
    failed: (why: string) => `The document was not restored. ${why}`,
  },
  trash: {
    label: 'Trash',
    empty: 'The trash is empty. Documents that you move here can be restored for a while.',
    notFetched: (why: string) => `The trash could not be loaded. ${why}`,
    deleted: <Part>(time: Part) => ['Deleted ', time] as const,
    deletedUntil: <Part>(time: Part, day: Part) =>
      ['Deleted ', time, ' · Will be deleted for good on ', day] as const,
    restore: 'Restore',
    restoreLabel: (title: string) => `Restore ${title}`,
    delete: 'Delete for good',
    deleteLabel: (title: string) => `Delete for good: ${title}`,
  },
  deleteDialog: {
    title: (title: string) => `Delete “${title}” for good?`,
    hint: 'This deletes its text, comments and versions for everyone. It cannot be undone.',
    keep: 'Keep it',
    confirm: 'Delete for good',
    done: (title: string) => `“${title}” is deleted for good.`,
    failed: (why: string) => `The document was not deleted. ${why}`,
  },
} as const
