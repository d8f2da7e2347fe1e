import 'reflect-metadata'
import { ValidationPipe } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { AppModule } from './app.module.js'

const app = await NestFactory.create(AppModule)
app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }))
app.enableShutdownHooks()
await app.listen(process.env['PORT'] ?? 3000, '127.0.0.1')
