import { test } from 'vitest'
import { expectDiagnostics } from '../host.ts'

test('a definition of the older Temple system, as it is', () => {
  expectDiagnostics(
    `
SimpleTempleTest: project {
  #language(go);
  #database(postgres);
  «#provider(dockerCompose)»;
  #metrics(prometheus);
  #authMethod(email)
}

SimpleTempleTestUser: service {
  simpleTempleTestUser: string;
  email: string(40, 5) @unique;
  firstName: string @server;
  createdAt: datetime @serverSet;
  numberOfDogs: int(max: 10, min: 0);
  currentBankBalance: float(min: 0.0, precision: 2);
  birthDate: date;
  breakfastTime: time;

  Fred: struct {
    field: string;
    friend: SimpleTempleTestUser;
    image: data(10M);
    #enumerable
  };

  #enumerable;
  #auth;
  #readable(by: all)
}

Booking: service {
  #omit([create, update,])
};

SimpleTempleTestGroup: service {
  #uses([SimpleTempleTestUser, Booking,]);
  #auth
};
`.replace('#database(postgres)', '«#database(postgres)»'),
    'redundant-metadata',
    'redundant-metadata',
  )
})
