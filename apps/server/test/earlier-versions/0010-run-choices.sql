update projects set choices = '{"settings": {"threads": 2}, "parameters": {}}' where name = 'On its way';
