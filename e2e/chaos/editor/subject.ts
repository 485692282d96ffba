/** The binding that the chaos of editors is about: the page's own. */
export { yTiptapSubject as testedSubject } from './y-tiptap-subject.ts'
