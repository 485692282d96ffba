/** One frame on a link, header included. Longer messages are split over several frames (T6). */
export const MAX_FRAME_BYTES = 256 * 1024

/** One session message once its pieces are joined. A longer one is refused, and the refusal names this limit (T6, A6). */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024

/** Messages in one frame. Our own frames of 8 KiB never hold more, and each message may be answered by a frame. */
export const MAX_MESSAGES = 8 * 1024

/**
 * One document part, encoded whole: one message brings it to each window that opens it, so an edit that would make it larger is
 * refused (T6, A6). The rest of the message is for what the encoding adds.
 */
export const MAX_DOCUMENT_BYTES = 24 * 1024 * 1024

/**
 * What a document part takes in the server's memory, by estimate: an empty object is two bytes on the wire and some 70 in memory. A text
 * of a million letters, each typed elsewhere than the one before, takes 233 MiB.
 */
export const MAX_DOCUMENT_MEMORY = 256 * 1024 * 1024
export const MAX_DESK_MEMORY = 16 * 1024 * 1024

/** A person's desk: settings, and the places of their windows. Every visitor may fill one. */
export const MAX_DESK_BYTES = 1024 * 1024

/** How deep arrays and objects may be nested in a value of the text. A value is an embed, an attribute or a map's entry. */
export const MAX_VALUE_DEPTH = 64

/** All arrays, objects and primitives in one value, itself included. */
export const MAX_VALUE_NODES = 100_000

/** Arrays and objects in one edit: an empty one is two bytes on the wire, and some 70 in memory. */
export const MAX_EDIT_OBJECTS = 1_000_000

/** UTF-16 units of a key in a value or map, of an attribute, a format, a node, or a root of the text. */
export const MAX_NAME_LENGTH = 1024

/** Binary data in a document, as one value. */
export const MAX_BINARY_BYTES = 1024 * 1024

/** How deep nodes, maps and arrays of the text may be nested: each list in a list adds two. */
export const MAX_TYPE_DEPTH = 100

/** One HTTP request body of the batched upstream. The client cuts its batches below it. */
export const MAX_BATCH_BYTES = 1024 * 1024

/** The last request of a page that is being left. Browsers let 64 KiB of such bodies outlive their pages at once. */
export const MAX_FAREWELL_BYTES = 60 * 1024

/** UTF-8 of a document id, a share link's token, a close detail or a presence: a longer one does not decode. */
export const MAX_STRING_BYTES = 4096

/** One window's presence as the server receives it: name, colour, caret, and whatever a stock client adds. */
export const MAX_PRESENCE_BYTES = 64 * 1024

/** Clients in one presence message besides those that the room shows: a stock client repeats what it has just received. */
export const MAX_UNKNOWN_PRESENCES = 1_000

/** One window's presence as others receive it, without unknown fields (W8). Our windows send some 300 bytes, on a desk 600. */
export const MAX_PRESENCE_STATE_BYTES = 4 * 1024

/** One presence message, unless a single state is larger. */
export const MAX_PRESENCE_MESSAGE_BYTES = 64 * 1024

/** All presence states of one room: 500 windows like our own come to 170 KiB. */
export const MAX_ROOM_PRESENCE_BYTES = 256 * 1024

/** One message of one window to others about delays. */
export const MAX_TRACE_BYTES = 4 * 1024

/** The parameters of a request within the session, and the body of its response. */
export const MAX_REQUEST_BYTES = 4 * 1024
export const MAX_RESPONSE_BYTES = 64 * 1024

/** Yjs client ids that one edit brings text of: each opening of a document is one, and costs every edit after it. */
export const MAX_EDIT_CLIENTS = 1_000

/**
 * Entries of a state vector beyond the clients of the document. A window knows some that the server does not have yet, and hundreds
 * after the server was restored from a backup.
 */
export const MAX_UNKNOWN_CLIENTS = 10_000

/** The structs of one edit: a run of letters, a paragraph, a mark. A paper of 300 KB, typed key by key, has 30,000. */
export const MAX_EDIT_STRUCTS = 400_000

/**
 * Ranges of deletions in one edit, and clients that they belong to: two bytes each on the wire, and an object in memory. A stock client
 * sends those of the whole document whenever it connects.
 */
export const MAX_EDIT_RANGES = 1_000_000

/** Values of the arrays in one edit: `undefined` is one byte on the wire, and 8 in memory. */
export const MAX_EDIT_VALUES = 4_000_000

/** Deleted letters, and other items with a clock, that one edit brings: they cost no bytes. */
export const MAX_EDIT_DELETIONS = 2 ** 25

/**
 * Raised whenever the frames or messages of a session change: a new kind, other fields, another meaning. A reader that does not know a kind
 * closes its link with `bad-frame`, so a server takes only windows of its own version, and closes the links of others with `version`.
 */
export const PROTOCOL_VERSION = 5

/** Raised whenever the editor's schema gains a node or mark that older pages would delete. */
export const SCHEMA_VERSION = 1

/** Decisions about changes of a proposal in one request of the API. A page sends more in several. */
export const MAX_DECISIONS_AT_ONCE = 2_000
