/** Where a node takes the links that other nodes forward. */
export const NODE_LINK_PATH = '/sync/node-link'
/** Names the form of what is carried: raw frames of one session's link. Another version is another name, and both may be offered. */
export const NODE_LINK_PROTOCOL = 'diptych.node.1'
