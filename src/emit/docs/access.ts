export { accessOf } from '../../model/access.ts'
