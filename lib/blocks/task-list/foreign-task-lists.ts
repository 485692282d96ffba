/** Converts the task items of other pages and programs into this editor's. Items without a box stay what they are. */
/** `NodeFilter.SHOW_TEXT`, which a DOM without a window has no name for. */
const SHOW_TEXT = 4

export function convertTaskLists(body: HTMLElement): void {
  for (const list of body.querySelectorAll('ul:not([data-type=taskList]), ol')) {
    const states = new Map([...list.children].map((item) => [item, takeCheckbox(item)]))
    if ([...states.values()].some((checked) => checked !== null))
      list.replaceWith(...splitByTask(list, states))
  }
  for (const box of body.querySelectorAll('input[type=checkbox]'))
    if (!box.closest('[data-type=taskItem]')) box.replaceWith(isChecked(box) ? '☑ ' : '☐ ')
}

const isChecked = (box: Element): boolean => box.hasAttribute('checked')

/** Whether an item is done; null if it has no box. */
function takeCheckbox(item: Element): boolean | null {
  if (item.localName !== 'li') return null
  if (item.getAttribute('role') === 'checkbox') {
    // Google Docs draws the box as an image.
    item.querySelector('img')?.remove()
    return item.getAttribute('aria-checked') === 'true'
  }
  // Notion draws the box as an element.
  const drawn = item.querySelector(':scope > .checkbox')
  drawn?.remove()
  if (drawn) return drawn.classList.contains('checkbox-on')
  const input = item.querySelector('input[type=checkbox]')
  if (input?.closest('li') !== item) return takeCheckboxLetter(item)
  input.remove()
  return isChecked(input)
}

/** Reads a box that is a letter. */
function takeCheckboxLetter(item: Element): boolean | null {
  const letters = item.ownerDocument.createTreeWalker(item, SHOW_TEXT)
  let text = letters.nextNode()
  while (text && text.nodeValue?.trim() === '') text = letters.nextNode()
  const checkboxLetter = /^\s*([☐☑☒✅])\uFE0F?\s*/u.exec(text?.nodeValue ?? '')
  if (!text || !checkboxLetter) return null
  text.nodeValue = text.nodeValue!.slice(checkboxLetter[0].length)
  return checkboxLetter[1] !== '☐'
}

function splitByTask(list: Element, states: ReadonlyMap<Element, boolean | null>): Element[] {
  const lists: Element[] = []
  for (const [child, checked] of states) {
    const isTask = checked !== null
    const last = lists.at(-1)
    // A list directly within a list belongs to the item before it.
    if (child.localName !== 'li' && last?.lastElementChild) itemContentOf(last.lastElementChild).append(child)
    else if (last && isTaskList(last) === isTask) last.append(isTask ? createTaskItem(child, checked) : child)
    else lists.push(createList(list, isTask ? createTaskItem(child, checked) : child, isTask))
  }
  return lists
}

const isTaskList = (list: Element): boolean => list.getAttribute('data-type') === 'taskList'

const itemContentOf = (item: Element): Element =>
  item.getAttribute('data-type') === 'taskItem' ? item.firstElementChild! : item

function createList(list: Element, item: Element, isTask: boolean): Element {
  const created = isTask ? list.ownerDocument.createElement('ul') : (list.cloneNode(false) as Element)
  if (isTask) created.setAttribute('data-type', 'taskList')
  created.append(item)
  return created
}

function createTaskItem(item: Element, checked: boolean): Element {
  const [task, content] = ['li', 'div'].map((name) => item.ownerDocument.createElement(name)) as [
    HTMLElement,
    HTMLElement,
  ]
  task.setAttribute('data-type', 'taskItem')
  task.setAttribute('data-checked', String(checked))
  content.append(...item.childNodes)
  task.append(content)
  return task
}
